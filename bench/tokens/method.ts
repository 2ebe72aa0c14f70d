/** How the numbers of this suite are made, printed with them. Only what is marked "assumed" is not counted from data. */
export const METHOD: readonly string[] = [
  "All numbers are o200k tokens: exact in that encoding, an estimate for models with another",
  "Left out on both sides because it is the same: system prompt, the task's text, the final answer, the model's thinking",
  "Direct: every definition of the catalogue (name, description, input schema as compact JSON; a task's own tools are always among them), each recorded call as JSON {name, input}, each recorded result as text",
  "Keyhole: its front (instructions and two definitions), search calls and answers, programs as JSON arguments of execute_code, and the text that src/result makes of what they return, budget 2,000 tokens",
  'The program makes the recorded calls in order with their recorded arguments, a line each, the failed ones with ".catch(String)". Assumed: the model can write it without seeing results in between. That is the best case, and why there are three variants',
  '"answer only": one search that finds just the tools used (signature and a line each, compacted from the emitted wrapper); one program that returns its last call\'s result, with the expected outputs where the data has them',
  '"every result": as many searches as the recorded agent made, the first with the whole wrapper files of the tools used, each with 5 other signatures of the same servers (assumed); one program that returns all results, summarised where they are over the budget. Assumed: the summary is enough to answer',
  '"step by step": the same searches; one program for each call, each returning its whole result: a model that never combines calls. What it still saves is the catalogue and the tail of long results',
  "Per turn: each call or program is one turn, plus one for the answer. Assumed: no parallel calls in the direct way, no prompt caching on either side (with it, the price of re-sent tokens falls by some 90% on both)",
  "Not compared: clients that themselves load definitions on demand. There the direct way's definitions are fewer, and what Keyhole saves is mostly what stays in the sandbox",
];
