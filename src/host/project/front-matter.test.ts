/** Front matter: what people write is read as they mean it, and what nobody means is named. */
import { expect, it } from 'vitest';
import { readFrontMatter } from './front-matter.ts';

it('fields are YAML, and the text behind them is the body', async () => {
	const text =
		'\uFEFF---\r\ndescription: Say it\r\nallowed-tools:\r\n  - Read\r\n  - Bash(git add:*)\r\nuser-invocable: false\r\n---\r\n\r\nHello.\r\n';
	expect(await readFrontMatter(text)).toEqual({
		ok: true,
		fields: { description: 'Say it', 'allowed-tools': ['Read', 'Bash(git add:*)'], 'user-invocable': false },
		body: '\r\nHello.\r\n',
	});
});

it('a file without settings is all body, and dashes further down are no settings', async () => {
	expect(await readFrontMatter('Text.\n---\na: 1\n---\n')).toEqual({
		ok: true,
		fields: {},
		body: 'Text.\n---\na: 1\n---\n',
	});
	expect(await readFrontMatter('---\n---\nText.')).toEqual({ ok: true, fields: {}, body: 'Text.' });
	expect(await readFrontMatter('---\nno end')).toEqual({ ok: true, fields: {}, body: '---\nno end' });
});

it('values that people leave unquoted are taken as they stand', async () => {
	const text =
		'---\nargument-hint: [issue] [priority]\ndescription: Use it so: always\ntools: *\nmaxTurns: 2\nskills: [a, b]\n---\nx';
	expect(await readFrontMatter(text)).toEqual({
		ok: true,
		fields: {
			'argument-hint': '[issue] [priority]',
			description: 'Use it so: always',
			tools: '*',
			maxTurns: 2,
			skills: ['a', 'b'],
		},
		body: 'x',
	});
});

it('what is no front matter is named, and no file makes reading slow or fail', async () => {
	const bomb = `a: &a [x]\n${Array.from({ length: 30 }, (_, at) => `b${at}: &b${at} [*a, *a, *a, *a]`).join('\n')}`;
	for (const settings of ['- a\n- b', 'a: [1', '\t- :\n\tb', bomb, `a: ${'['.repeat(30_000)}`, 'x'.repeat(70_000)]) {
		const began = performance.now();
		const read = await readFrontMatter(`---\n${settings}\n---\nx`);
		expect(performance.now() - began).toBeLessThan(2000);
		if (!read.ok) expect(read.problem).toMatch(/^.{10,120}$/);
		else expect(read.body).toBe('x');
	}
	const read = await readFrontMatter('---\n__proto__: {polluted: 1}\n---\n');
	expect(({} as { polluted?: number }).polluted).toBeUndefined();
	expect(read).toHaveProperty('body', '');
});
