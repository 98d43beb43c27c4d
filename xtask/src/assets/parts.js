// The compiled files and their instances by URL. An error is forgotten, so that the next call tries again.
const compiled = new Map(), instances = new Map();
function once(map, url, make) {
    if (!map.has(url)) {
        const made = make();
        map.set(url, made);
        made.catch(() => map.delete(url));
    }
    return map.get(url);
}
const compile = (url) => once(compiled, url, () => WebAssembly.compileStreaming(fetch(url)));
const instantiate = (url) => once(instances, url, async () => WebAssembly.instantiate(await compile(url), getSharedImports()));
// Compiles files, `count` at a time: a browser has six connections, and on a slow line the user's next
// request must not wait for all files.
function compileAll(urls, count) {
    const rest = urls.values();
    return Promise.all(Array.from({ length: count }, async () => {
        for (const url of rest) await compile(url);
    }));
}
const AT_ONCE = 3;
// Loads a part, then calls a function of the main module with the result.
function loader(part) {
    return async (callback, data) => {
        let isLoaded = true;
        try {
            await compileAll(files[part], AT_ONCE);
            await Promise.all(files[part].map(instantiate));
        } catch (error) {
            console.error(error);
            isLoaded = false;
        }
        getSharedImports().__wasm_split.__indirect_function_table.get(callback)(data, isLoaded);
    };
}
// Compiles the files of all parts, so that links need no connection. Those that most parts need come first.
export function compileParts() {
    const all = Object.values(files).flat(), uses = (url) => all.filter((one) => one === url).length;
    const inOrder = [...new Set(all)].sort((one, other) => uses(other) - uses(one));
    // Without a connection: a part is loaded when it is used.
    return compileAll(inOrder, 1).catch(() => {});
}
// The part of this page is compiled while the main module is loaded.
const ofPage = files[document.querySelector("meta[name=part]")?.content];
// An error is reported when the part is used.
if (ofPage) compileAll(ofPage, AT_ONCE).catch(() => {});
