// An agent that uses the desk: one JSON object a line, out to ask, in for the result, until "answer".
import { createInterface } from "node:readline";
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const read = async () => JSON.parse((await lines.next()).value);
const send = (line) => console.log(JSON.stringify(line));
const brief = await read();
send({ type: "call", id: 1, tool: "read_sales", args: { sku: brief.facts.sku } });
const { value, error } = await read();
send(error ? { type: "decline", why: error.message, to: "human" } : { type: "use", fact: "sales" });
send({ type: "answer", output: { demand: value?.sales ?? "unknown" } });
process.exit(0);
