/** What the real servers refuse, so that a test notices before a user does. The first broken rule is the answer. */
import { isObject, type Json, type JsonObject, objectAt, stringAt } from '../../src/model/index.ts';
import { anthropicProblems } from './model-server-rules-anthropic.ts';
import { list, type Protocol } from './model-server-wires.ts';

export interface Rejection {
	readonly status: number;
	readonly message: string;
}

export function brokenRule(
	protocol: Protocol,
	body: JsonObject,
	headers: { readonly [name: string]: string },
): Rejection | undefined {
	if (protocol === 'anthropic' && !headers['x-api-key'] && !headers.authorization) {
		return { status: 401, message: 'x-api-key header is required' };
	}
	const [message] = checks[protocol](body).take(1);
	return message === undefined ? undefined : { status: 400, message };
}

const checks: { readonly [P in Protocol]: (body: JsonObject) => Generator<string> } = {
	anthropic: anthropicProblems,
	chat: chatProblems,
	responses: responsesProblems,
	google: googleProblems,
	ollama: ollamaProblems,
};

/** Calls are answered at once, each by one message. */
function* chatProblems(body: JsonObject): Generator<string> {
	yield* halfCharacters(body);
	const seen = new Set<string>();
	let open = new Set<string>();
	const unanswered = function* (): Generator<string> {
		if (open.size > 0) yield `tool_call_ids did not have response messages: ${[...open].join(', ')}`;
	};
	for (const [at, message] of list(body.messages).entries()) {
		const where = `messages[${at}]`;
		if (message.role === 'tool') {
			const known = open.delete(stringAt(message, 'tool_call_id') ?? '');
			if (!known) yield `${where}: role 'tool' must be a response to a preceding message with 'tool_calls'`;
			if (typeof message.content !== 'string') yield `${where}.content: a tool message holds text`;
			continue;
		}
		yield* unanswered();
		const calls = list(message.tool_calls);
		open = new Set(calls.map((call) => stringAt(call, 'id') ?? ''));
		for (const call of calls) yield* chatCall(call, seen, where);
		if (isEmpty(message.content) && calls.length === 0) yield `${where}.content: is empty`;
	}
	yield* unanswered();
}

function* chatCall(call: JsonObject, seen: Set<string>, where: string): Generator<string> {
	const id = stringAt(call, 'id') ?? '';
	if (id === '' || id.length > 40) yield `${where}.tool_calls: id has to have 1 to 40 characters`;
	if (seen.has(id)) yield `${where}.tool_calls: id ${id} was used before`;
	seen.add(id);
	yield* functionName(objectAt(call, 'function')?.name, where);
	yield* jsonObject(objectAt(call, 'function')?.arguments, where);
}

function isEmpty(content: Json | undefined): boolean {
	return content === null || content === undefined || (content as string | readonly Json[]).length === 0;
}

/** Items name each other; nothing is kept at the server. */
function* responsesProblems(body: JsonObject): Generator<string> {
	yield* halfCharacters(body);
	const items = list(body.input);
	const known: Items = { ids: new Set(), calls: new Set(), outputs: new Set() };
	for (const [at, item] of items.entries()) yield* itemProblems(item, items[at + 1], known, `input[${at}]`);
	for (const call of known.calls) {
		if (!known.outputs.has(call)) yield `No tool output found for function call ${call}`;
	}
}

interface Items {
	readonly ids: Set<string>;
	readonly calls: Set<string>;
	readonly outputs: Set<string>;
}

function* itemProblems(
	item: JsonObject,
	next: JsonObject | undefined,
	{ ids, calls, outputs }: Items,
	where: string,
): Generator<string> {
	const id = stringAt(item, 'id');
	const call = stringAt(item, 'call_id') ?? '';
	if (id !== undefined && ids.has(id)) yield `${where}: Duplicate item found with id ${id}`;
	if (id !== undefined && !/^.{1,64}$/.test(id)) yield `${where}.id: has to have 1 to 64 characters`;
	if (id !== undefined) ids.add(id);
	switch (item.type) {
		case 'function_call':
			if (!/^[\w-]{1,64}$/.test(call) || calls.has(call))
				yield `${where}.call_id: ${call} is no new id of 1 to 64 characters`;
			calls.add(call);
			yield* functionName(item.name, where);
			return yield* jsonObject(item.arguments, where);
		case 'function_call_output':
			if (!calls.has(call)) yield `${where}: No tool call found for function call output with call_id ${call}`;
			if (outputs.has(call)) yield `${where}: call ${call} has two outputs`;
			outputs.add(call);
			return;
		case 'reasoning':
			if (!item.encrypted_content)
				yield `${where}: Item not found. Items are not persisted when \`store\` is set to false`;
			if (next === undefined || next.role === 'user' || next.type === 'function_call_output') {
				yield `${where}: reasoning was provided without its required following item`;
			}
			return;
		default:
			if (isEmpty(item.content)) yield `${where}.content: is empty`;
	}
}

const forbiddenKeywords =
	/"(\$ref|\$schema|\$id|\$defs|definitions|patternProperties|additionalProperties|const|not)":/;

/** Roles take turns, and a turn of calls is answered by a turn with as many responses. */
function* googleProblems(body: JsonObject): Generator<string> {
	const contents = list(body.contents);
	yield* halfCharacters(body);
	for (const tool of list(body.tools)) {
		for (const declared of list(tool.functionDeclarations)) {
			const found = forbiddenKeywords.exec(JSON.stringify(declared.parametersJsonSchema ?? {}));
			if (found)
				yield `Invalid JSON payload received. Unknown name ${found[1]} at 'tools.function_declarations.parameters'`;
		}
	}
	if (contents[0]?.role !== 'user')
		yield 'Please ensure that single turn requests end with a user role or the role field is empty';
	for (const [at, content] of contents.entries()) {
		const parts = list(content.parts);
		const next = contents[at + 1];
		if (parts.length === 0) yield `contents[${at}].parts must not be empty`;
		if (next?.role === content.role) yield `contents[${at}] and the next have the same role`;
		if (content.role !== 'user' && content.role !== 'model') yield 'Please use a valid role: user, model.';
		const calls = parts.filter((part) => part.functionCall !== undefined);
		const answers = list(next?.parts).filter((part) => part.functionResponse !== undefined);
		if (content.role === 'model' && calls.length !== answers.length) {
			yield 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
		}
		for (const part of calls) yield* functionName(objectAt(part, 'functionCall')?.name, `contents[${at}]`);
	}
}

function* ollamaProblems(body: JsonObject): Generator<string> {
	yield* halfCharacters(body);
	for (const [at, message] of list(body.messages).entries()) {
		if (typeof message.content !== 'string') yield `messages[${at}].content: a string is wanted`;
		if (
			message.role === 'user' &&
			message.content === '' &&
			list(message.images).length === 0 &&
			message.images === undefined
		) {
			yield `messages[${at}].content: is empty`;
		}
		for (const call of list(message.tool_calls)) {
			if (!isObject(objectAt(call, 'function')?.arguments))
				yield `messages[${at}].tool_calls: arguments have to be an object`;
		}
	}
}

function* functionName(name: Json | undefined, where: string): Generator<string> {
	if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
		yield `${where}: a function name does not match ^[a-zA-Z0-9_-]{1,64}$`;
}

function* jsonObject(text: Json | undefined, where: string): Generator<string> {
	const value: unknown = typeof text === 'string' ? JSON.parse(text) : text;
	if (!isObject(value)) yield `${where}: arguments are no JSON object`;
}

/** Servers in other languages cannot read half a surrogate pair. */
export function* halfCharacters(value: Json | undefined): Generator<string> {
	if (typeof value === 'string') {
		if (!value.isWellFormed()) yield 'The request body is not valid JSON: no low surrogate in string';
	} else if (Array.isArray(value)) for (const one of value as readonly Json[]) yield* halfCharacters(one);
	else if (isObject(value)) {
		for (const [key, one] of Object.entries(value)) {
			yield* halfCharacters(key);
			yield* halfCharacters(one);
		}
	}
}
