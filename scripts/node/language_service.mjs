// GitHub's own language service over workflows, and over the workflows in Markdown, with our action.yml as what
// `uses: …/quilate@…` means: an input that does not exist is an error here.
// usage: language_service.mjs ACTION.yml FILE…      exit code 1 where it finds anything
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import * as service from '@actions/languageservice';
import { TextDocument } from 'vscode-languageserver-textdocument';
import YAML from 'yaml';

const [actionFile, ...files] = process.argv.slice(2);
const action = YAML.parse(readFileSync(actionFile, 'utf8'));
const config = {
  actionsMetadataProvider: { fetchActionMetadata: async ({ name }) => (name === 'quilate' ? action : undefined) },
};
// Others' actions cannot be looked up offline.
const unknowable = /Unable to resolve action/;

// Each workflow or list of steps in Markdown, at its own lines: what is not part of it becomes empty lines.
function* workflowsIn(markdown) {
  const lines = markdown.split('\n');
  for (let start = 0; start < lines.length; start += 1) {
    if (!/^```ya?ml\b/.test(lines[start])) continue;
    const end = lines.indexOf('```', start + 1);
    const block = lines.slice(start + 1, end);
    const padding = (count) => Array(count).fill('');
    if (block.some((line) => line.startsWith('jobs:'))) yield [...padding(start + 1), ...block].join('\n');
    else if (block.some((line) => /^- (uses|run|name|id):/.test(line))) {
      const job = ['on: push', 'jobs:', ' job:', '  runs-on: ubuntu-latest', '  steps:'];
      if (start + 1 < job.length) throw new Error(`${markdown.slice(0, 40)}: a block of steps stands too early in the page`);
      yield [...padding(start + 1 - job.length), ...job, ...block.map((line) => `   ${line}`)].join('\n');
    }
    start = end;
  }
}

let checked = 0;
let found = 0;
for (const file of files) {
  const text = readFileSync(file, 'utf8');
  const texts = file.endsWith('.md') ? [...workflowsIn(text)] : [text];
  for (const each of texts) {
    checked += 1;
    // A name of its own for each: the service remembers what it has parsed by name.
    const name = file.endsWith('.md') ? `${file}/.github/workflows/${checked}.yml` : file;
    const document = TextDocument.create(pathToFileURL(name).href, 'yaml', 1, each);
    for (const { message, range } of await service.validate(document, config)) {
      if (unknowable.test(message)) continue;
      found += 1;
      console.log(`${file}:${range.start.line + 1}:${range.start.character + 1}: ${message}`);
    }
  }
}
console.error(`language service: ${checked} workflows, ${found} findings`);
process.exit(found || !checked ? 1 : 0);
