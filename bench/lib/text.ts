/** Text of the kinds that sessions are full of. Large pools are made once and cut into pieces. */
import type { Random } from './random.ts';

export interface Texts {
	/** Each about `length` characters, in whole lines or sentences. */
	prose(length: number): string;
	code(length: number): string;
	log(length: number): string;
	base64(length: number): string;
	word(): string;
}

const syllables =
	'ka ro mi ten sol va lu pre con dar fi no que ris ta bel om us ly er an ver pos tri gen mod act'.split(' ');
const common =
	'the of to and in is it that for on with as this file line test error value type code when then check return run path'.split(
		' ',
	);
const foreign = ['größer', 'naïve', 'проверка', '関数', '错误', '✓', '→', '…', '🚀', '“so”', '—'];

const poolSize = 3_000_000;

export function makeTexts(random: Random): Texts {
	const words = [...common, ...Array.from({ length: 4000 }, () => madeUpWord(random))];
	// Squared, so that the words at the front come much more often.
	const word = () => words[Math.floor(random.next() ** 2.5 * words.length)] as string;
	const name = () => word() + capital(word());
	const pools = {
		prose: pool(() => sentence(random, word)),
		code: pool(() => codeLine(random, word, name)),
		log: pool(() => logLine(random, word, name)),
	};
	const base64Pool = makeBase64(random);
	const cut = (text: string, length: number) => {
		const size = Math.max(1, Math.min(Math.floor(length), text.length >> 1));
		const start = text.indexOf('\n', random.int(0, text.length - 2 * size)) + 1;
		const end = text.indexOf('\n', start + size);
		return text.slice(start, end === -1 ? start + size : end);
	};
	return {
		word,
		prose: (length) => cut(pools.prose, length),
		code: (length) => cut(pools.code, length),
		log: (length) => cut(pools.log, length),
		base64(length) {
			const size = Math.min(Math.floor(length) & ~3, base64Pool.length);
			const start = random.int(0, base64Pool.length - size);
			return base64Pool.slice(start, start + size);
		},
	};
}

function pool(line: () => string): string {
	const lines: string[] = [];
	for (let size = 0; size < poolSize; ) {
		const text = line();
		lines.push(text);
		size += text.length + 1;
	}
	return `${lines.join('\n')}\n`;
}

function madeUpWord(random: Random): string {
	let word = '';
	for (let i = random.int(2, 4); i > 0; i -= 1) word += random.pick(syllables);
	return word;
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function sentence(random: Random, word: () => string): string {
	const words = Array.from({ length: random.int(6, 24) }, word);
	if (random.chance(0.1)) words.push(random.pick(foreign));
	if (random.chance(0.12)) words.push(`\`${word()}.${word()}\``);
	if (random.chance(0.06)) words.push(`"${word()} ${word()}"`);
	return `${capital(words.join(' '))}.${random.chance(0.15) ? '\n' : ''}`;
}

function codeLine(random: Random, word: () => string, name: () => string): string {
	const indent = '\t'.repeat(random.int(0, 3));
	switch (random.int(0, 7)) {
		case 0:
			return `${indent}export function ${name()}(${word()}: string, ${word()}: number): ${capital(name())} {`;
		case 1:
			return `${indent}const ${name()} = await ${name()}("${word()}", { ${word()}: ${random.int(0, 999)} });`;
		case 2:
			return `${indent}if (${name()}.${word()} !== '${word()}') throw new Error(\`${word()} \${${name()}}\`);`;
		case 3:
			return `${indent}// ${word()} ${word()} ${word()} ${word()} ${word()}`;
		case 4:
			return `import { ${name()}, ${name()} } from "../${word()}/${word()}.js";`;
		case 5:
			return `${indent}return ${name()}.map((${word()}) => ${word()}.${name()}[${random.int(0, 99)}]);`;
		case 6:
			return `${indent}}`;
		default:
			return '';
	}
}

function logLine(random: Random, word: () => string, name: () => string): string {
	switch (random.int(0, 5)) {
		case 0:
			return `\u001b[32m✓\u001b[39m ${word()}/${name()}.test.ts \u001b[2m(${random.int(1, 60)} tests)\u001b[22m ${random.int(1, 900)}ms`;
		case 1:
			return `2026-03-0${random.int(1, 9)}T12:3${random.int(0, 9)}:05.${random.int(100, 999)}Z INFO ${word()}: ${word()}=${random.int(0, 1e9)} id=${random.hex(12)}`;
		case 2:
			return `│   ├── ${word()}_${word()}.rs`;
		case 3:
			return `    at ${capital(name())}.${word()} (/home/dev/app/node_modules/${word()}/${word()}.js:${random.int(1, 900)}:${random.int(1, 80)})`;
		default:
			return `src/${word()}/${name()}.ts:${random.int(1, 999)}: const ${word()} = "${word()} ${word()}";`;
	}
}

function makeBase64(random: Random): string {
	const bytes = Buffer.alloc(2_400_000);
	for (let i = 0; i < bytes.length; i += 4) bytes.writeUInt32LE(random.int(0, 0xffff_ffff), i);
	return bytes.toString('base64');
}
