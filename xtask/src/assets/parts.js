
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
// Loads a part, then calls a function of the main module with the result.
function loader(part) {
    return async (callback, data) => {
        let isLoaded = true;
        try {
            // One file after the other: a browser has six connections, and on a slow line the user's next
            // request must not wait for all files of a part.
            for (const url of files[part]) await instantiate(url);
        } catch (error) {
            console.error(error);
            isLoaded = false;
        }
        getSharedImports().__wasm_split.__indirect_function_table.get(callback)(data, isLoaded);
    };
}
// The part of this page is compiled while the main module is loaded.
files[document.querySelector("meta[name=part]")?.content]?.forEach(compile);
