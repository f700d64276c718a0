// Your agent goes here: replace what `run` does. `question` is a text, or a list of {role, content} messages.
// Return a text, { output, tool_calls }, or what the Vercel AI SDK's generateText and streamText return.
export async function run(question) {
  const number = /\d{4,}/.exec(question)?.[0];
  if (number) {
    return { output: `Order ${number} is on its way.`, tool_calls: [{ name: 'get_order', args: { number } }] };
  }
  return 'Gladly. What is your order number?';
}
