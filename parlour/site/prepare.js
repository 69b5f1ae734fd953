// Compiles Parlour's own files with Pyodide itself, so that no browser has to, and divides Python's library into what a
// game imports and the rest. usage: node --input-type=module - FOLDER <prepare.js
// FOLDER has the files of Pyodide, and given.json: for each kind of page its "bundles", each files with their text, and
// "trials", programs that import what such pages begin with. made.zip is the answer. Started by preparing.py.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const python = await loadPyodide();
process.on("uncaughtException", (problem) => { // Node.js would print the whole script, which is one line
  console.error(problem.message);
  process.exit(1);
});
python.FS.writeFile("/given.json", new Uint8Array(readFileSync(`${folder}/given.json`)));
python.runPython(`
import ast, importlib.util, json, marshal, os, shutil, sys, zipfile

HOME = "/parlour"
UNCHECKED = (1).to_bytes(4, "little")  # marks a .pyc that is used without a look at its source
LIBRARY = "/lib/python%d%d.zip" % sys.version_info[:2]
LIST = "parlour/solo/rest.txt"  # solo/library.py reads it
with open("/given.json", encoding="utf-8") as file:
    given = json.load(file)
made = zipfile.ZipFile("/made.zip", "w")  # packed as a whole later, which is smaller

def add(archive, name, data):
    archive.writestr(zipfile.ZipInfo(name), data)  # of 1980, so that the file is always the same

def text_only(tree):
    for node in ast.walk(tree):  # docstrings are a quarter of all
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, False) is not None:
            node.body[:1] = [] if len(node.body) > 1 else [ast.copy_location(ast.Pass(), node.body[0])]
    return tree

def compiled(path, text):
    code = compile(text_only(ast.parse(text)), path, "exec", dont_inherit=True)
    return importlib.util.MAGIC_NUMBER + UNCHECKED + bytes(8) + marshal.dumps(code)

def begin(bundles, trials):
    """Return the files of all modules that these bundles begin with."""
    for files in bundles:
        for path, text in files.items():
            os.makedirs(os.path.dirname(f"{HOME}/{path}"), exist_ok=True)
            with open(f"{HOME}/{path}", "w", encoding="utf-8") as file:
                file.write(text)
    sys.path[:0] = [HOME, f"{HOME}/parlour/solo"]  # as in static/python.js
    importlib.import_module("structs").stand_in()
    del sys.path[1]
    importlib.import_module("parlour.solo.library")
    for trial in trials:
        try:
            exec(trial, {})
        except Exception:
            pass  # a game with an error says so in the page
    del sys.path[0]
    used = {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(HOME):
            del sys.modules[name]
    shutil.rmtree(HOME)
    importlib.invalidate_caches()
    return used

sys.dont_write_bytecode = True
library, listed = set(), []
for group, part in enumerate(given):
    used = begin(part["bundles"], part["trials"])
    library |= used
    for number, files in enumerate(part["bundles"]):
        place = f"bundles/{group}/{number}"
        for path, text in files.items():
            if f"{HOME}/{path}" in used:  # what few pages import stays as it is, as code is twice as large
                cached = importlib.util.cache_from_source(path)
                add(made, f"{place}/{cached}", compiled(f"{HOME}/{path}", text))
                text = ""  # Python compares nothing, but Parlour looks which modules a game has
            add(made, f"{place}/{path}", text.encode())
source = zipfile.ZipFile(LIBRARY)
first, rest = zipfile.ZipFile("/first.zip", "w"), zipfile.ZipFile("/rest.zip", "w")
names = []
for name in source.namelist():
    begun = f"{LIBRARY}/{name}" in library
    add(first if begun else rest, name, source.read(name))
    if not begun and name.endswith(".pyc"):
        names.append(name.removesuffix(".pyc").removesuffix("/__init__").replace("/", "."))
for group in range(len(given)):
    add(made, f"bundles/{group}/0/{LIST}", "\\n".join(names))
for archive in first, rest:
    archive.close()
    with open(archive.filename, "rb") as file:
        add(made, archive.filename[1:], file.read())
made.close()
`);
writeFileSync(`${folder}/made.zip`, python.FS.readFile("/made.zip"));
