// Compiles Python's library with Pyodide itself, so that no browser has to: usage: node --input-type=module - FOLDER <compile.js
// FOLDER has the files of Pyodide; its python_stdlib.zip is replaced. Started by pyodide.py.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.argv[2], library = `${folder}/python_stdlib.zip`;
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const python = await loadPyodide();
python.FS.writeFile("/source.zip", new Uint8Array(readFileSync(library)));
python.runPython(`
import importlib.util, marshal, zipfile

LEFT_OUT = {  # what no page can use: consoles, debuggers, tests, processes, servers and old protocols
    "_pyrepl", "cProfile", "doctest", "ftplib", "imaplib", "multiprocessing", "optparse", "pdb",
    "pickletools", "poplib", "profile", "pstats", "pydoc", "smtplib", "trace", "unittest", "webbrowser", "wsgiref",
    "xmlrpc",
}
source = zipfile.ZipFile("/source.zip")
made = zipfile.ZipFile("/made.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9)
for name in source.namelist():
    if name.endswith("/") or name.partition("/")[0].removesuffix(".py") in LEFT_OUT:
        continue
    data = source.read(name)
    if name.endswith(".py"):
        code = compile(data, name, "exec", dont_inherit=True, optimize=2)
        name, data = f"{name}c", importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)
    entry = zipfile.ZipInfo(name)  # of 1980, so that the file is always the same
    entry.compress_type = zipfile.ZIP_DEFLATED
    made.writestr(entry, data)
made.close()
`);
writeFileSync(library, python.FS.readFile("/made.zip"));
