/** What a host may send with each request, and what it gets. A request without a row, or a row without a request, ends `npm run docs`. */
import { controlNames } from '../src/cli/driven/controls.ts';
import { requestSchemas } from '../src/frames/requests.ts';
import { fieldsOf } from './frames-fields.ts';

export function requestRows(): readonly string[] {
	const rowless = controlNames.filter((name) => !Object.hasOwn(requestSchemas, name));
	const gone = Object.keys(requestSchemas).filter((name) => !controlNames.includes(name));
	if (rowless.length + gone.length > 0)
		throw new Error(`src/frames/requests.ts: requests without a row: ${rowless}; rows without a request: ${gone}`);
	return Object.entries(requestSchemas).map(
		([name, { body, answer, about }]) =>
			`| \`${name}\` | ${fieldsOf(body.shape)} | ${fieldsOf(answer.shape)} | ${about} |`,
	);
}
