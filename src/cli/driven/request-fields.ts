/** Reads the fields of a request: one that is missing is named to whoever sent it. */
import { type JsonObject, stringAt } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';

export function textIn(body: JsonObject, field: string): string {
	const text = stringAt(body, field);
	if (text === undefined) throw new InputError('bad-value', `${field} is missing, or is not a text`);
	return text;
}
