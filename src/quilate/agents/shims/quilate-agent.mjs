// Serves a JavaScript function to quilate, from the agent's own Node. One file, no dependencies, Node 18 or newer.
//
//     node quilate-agent.mjs ./agent.mjs#run          (TypeScript: npx tsx quilate-agent.mjs ./agent.ts#run)
//
// The function gets the input (a text, or a list of {role, content} messages) and returns, or promises, a text, an
// object in quilate's result shape, or what the Vercel AI SDK's generateText and streamText return. Several cases are
// asked at once. What it logs goes to standard error.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';

const CONCURRENCY = 1000;
const OUTAGES = [429, 503, 529];

const protocol = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
const writeLine = (value) => protocol(JSON.stringify(value) + '\n');

async function load(name) {
  const [path, attribute = 'default'] = (name ?? '').split('#');
  if (!path) throw new Error('usage: node quilate-agent.mjs ./agent.mjs#run');
  const module = await import(pathToFileURL(resolve(path)));
  const found = module[attribute] ?? module.default?.[attribute];
  if (typeof found !== 'function') {
    throw new Error(`${path} exports no function ${attribute}; it exports ${Object.keys(module).join(', ') || 'nothing'}`);
  }
  return found;
}

const list = (value) => (Array.isArray(value) ? value : []);

// streamText's fields are promises, generateText's are values; both hold every step's calls in `steps`.
async function fromAiSdk(result) {
  const [text, steps, usage] = await Promise.all([result.text, result.steps, result.totalUsage ?? result.usage]);
  const parts = list(steps).length
    ? steps
    : [{ toolCalls: await result.toolCalls, toolResults: await result.toolResults }];
  const results = new Map(parts.flatMap((part) => list(part.toolResults).map((each) => [each.toolCallId, each])));
  const failed = parts.flatMap((part) => list(part.content)).filter((each) => each.type === 'tool-error');
  const failures = new Map(failed.map((each) => [each.toolCallId, String(each.error?.message ?? each.error)]));
  const mapped = {
    output: text ?? '',
    tool_calls: parts.flatMap((part) => list(part.toolCalls)).map((call) => {
      const answered = results.get(call.toolCallId);
      return {
        name: call.toolName,
        args: call.input ?? call.args,
        ...(answered === undefined ? {} : { output: answered.output ?? answered.result ?? null }),
        ...(failures.has(call.toolCallId) ? { error: failures.get(call.toolCallId) } : {}),
      };
    }),
  };
  const input = usage?.inputTokens ?? usage?.promptTokens;
  const output = usage?.outputTokens ?? usage?.completionTokens;
  // Without usage the SDK counts NaN or undefined.
  if (Number.isFinite(input) && Number.isFinite(output)) mapped.usage = { input_tokens: input, output_tokens: output };
  return mapped;
}

async function asResult(returned) {
  if (typeof returned === 'string') return { output: returned };
  if (returned === null || typeof returned !== 'object' || Array.isArray(returned)) {
    throw new TypeError(`the agent returned ${returned === null ? 'null' : typeof returned}; return a text or an object`);
  }
  const known = ['output', 'tool_calls', 'error'].some((key) => key in returned);
  // An AI SDK result may have `output` too (its structured output), and then has `text` and `toolCalls`.
  return 'toolCalls' in returned || (!known && 'text' in returned) ? fromAiSdk(returned) : { ...returned };
}

function asError(error) {
  const status = error?.statusCode ?? error?.status ?? error?.lastError?.statusCode;
  const message = String(error?.name && error?.message ? `${error.name}: ${error.message}` : error).slice(0, 1000);
  return { error: { kind: OUTAGES.includes(status) ? 'infrastructure' : 'agent', message } };
}

async function respond(run, request) {
  const mark = { case_id: request.case_id, trial: request.trial ?? 0 };
  const started = performance.now();
  try {
    const result = await asResult(await run(request.input));
    writeLine({ duration_ms: performance.now() - started, ...result, ...mark });
  } catch (error) {
    console.error(error);
    writeLine({ ...asError(error), ...mark });
  }
}

const run = await load(process.argv[2]);
writeLine({ ready: true, concurrency: CONCURRENCY });
const running = new Set();
for await (const line of createInterface({ input: process.stdin })) {
  if (!line.trim()) continue;
  const task = respond(run, JSON.parse(line)).finally(() => running.delete(task));
  running.add(task);
}
await Promise.all(running);
// An agent's open connections must not keep the process alive.
protocol('', () => process.exit(0));
