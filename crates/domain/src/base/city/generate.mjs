// Writes cities.tsv: the cities of the time zones in English, Chinese and German, from Unicode CLDR.
//
//   npm pack cldr-dates-full@48.2.0 cldr-bcp47@48.2.0    (unpack both into one folder, DIR/<name>/package)
//   node generate.mjs DIR > cities.tsv
//
// A line: zone, English name, Chinese name, German name, other names of the zone. The English name is empty if it is the
// last part of the zone, the German one if it is the English one. Zones without a city (UTC, Etc/…) and withdrawn ids are left out.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const dir = process.argv[2];
const read = (path) => JSON.parse(readFileSync(join(dir, path), "utf8"));
const version = read("cldr-dates-full/package/package.json").version;
const names = (language) =>
  read(`cldr-dates-full/package/main/${language}/timeZoneNames.json`).main[language].dates.timeZoneNames.zone;
const [english, chinese, german] = [names("en"), names("zh"), names("de")];
const zones = read("cldr-bcp47/package/bcp47/timezone.json").keyword.u.tz;

const area = /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\//;
const noCity = /^Australia\/(ACT|NSW|North|Queensland|South|Victoria|West)$/;
const city = (table, zone) => zone.split("/").reduce((node, part) => node?.[part], table)?.exemplarCity;
const lastPart = (zone) => zone.split("/").at(-1).replaceAll("_", " ");

const lines = Object.values(zones)
  .filter((zone) => zone?._alias && !zone._deprecated)
  .map((zone) => {
    const all = zone._alias.split(" ");
    const name = zone._iana ?? all[0];
    const found = (table) => all.map((one) => city(table, one)).find(Boolean);
    const others = all.filter((one) => one !== name && area.test(one) && !noCity.test(one));
    const en = found(english) ?? lastPart(name);
    // Without the places where a line may be broken.
    const de = found(german)?.replaceAll("\u00ad", "") ?? en;
    return {
      name,
      en: en === lastPart(name) ? "" : en,
      zh: found(chinese),
      de: de === en ? "" : de,
      others: others.join(" "),
    };
  })
  .filter(({ name, zh }) => area.test(name) && zh)
  .sort((one, other) => (one.name < other.name ? -1 : 1));

console.log(`# Cities of time zones, from Unicode CLDR ${version} (cldr-dates-full, cldr-bcp47). Written by generate.mjs.`);
console.log("# © Unicode, Inc. Unicode License V3: https://www.unicode.org/license.txt");
for (const { name, en, zh, de, others } of lines) console.log([name, en, zh, de, others].join("\t").trimEnd());
