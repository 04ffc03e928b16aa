/** The malformed sessions that repair is proved on: those of the corpus, and damage that the corpus does not have. */
import type { RepairOptions } from '../../src/codecs/index.ts';
import type { FormatId } from '../../src/model/index.ts';
import { corpusFiles } from '../support/corpus.ts';
import { claudeCodeDamage } from './damaged/claude-code.ts';
import { clidoDamage } from './damaged/clido.ts';
import { clineDamage } from './damaged/cline.ts';
import type { Damaged } from './damaged/make.ts';
import { openclawDamage } from './damaged/openclaw.ts';

export interface RepairCase {
	/** `claude-code/resume-cases/no_type`, `clido/damaged/torn`. */
	readonly name: string;
	readonly format: FormatId;
	/** In a word or two. */
	readonly wrong: string;
	readonly bytes: Uint8Array;
	readonly options: RepairOptions;
}

const time = '2026-01-01T00:00:00.000Z';
const id = '22222222-2222-4222-8222-222222222222';
const cwd = '/tmp/proj/demo-app';

const folders: { readonly [F in FormatId]?: RegExp } = {
	'claude-code': /^claude-code\/(resume-cases|generated)\//,
	openclaw: /^openclaw\/min\//,
	clido: /^clido\/1\.0\.15\//,
	cline: /^cline\/(resume-cases\/|3\.0\.65\/cli-foreign-resume\/)/,
};

/** Cases of the corpus that only an old version stumbles over, so that repair has to be asked for it. */
const forOld = /parallel_real_style|two_leaves_later_ts|unknown_type_as_chain_link/;

function fromCorpus(): readonly RepairCase[] {
	return corpusFiles()
		.filter((file) => folders[file.format]?.test(file.name) && file.role === 'main')
		.map((file) => {
			const stem =
				file.path
					.split('/')
					.at(-1)
					?.replace(/(\.messages)?\.jsonl?$/, '') ?? '';
			const [format, version, scenario] = file.name.split('/');
			const several = version === 'generated' ? `/${stem.slice(0, 8)}` : '';
			const fallback = file.format === 'claude-code' || file.format === 'cline' ? stem : id;
			return {
				name: `${format}/${version}/${scenario}${several}`,
				format: file.format,
				wrong: scenario?.replace(/^[a-z]*\d+-/, '').replaceAll(/[-_]/g, ' ') ?? '',
				bytes: file.bytes(),
				options: {
					id: stem === 'session' ? id : fallback,
					time,
					cwd,
					...(forOld.test(file.name) ? { client: '2.1.29' } : {}),
				},
			};
		});
}

function made(format: FormatId, damaged: readonly Damaged[]): readonly RepairCase[] {
	return damaged.map(({ name, wrong, bytes, options }) => ({
		name: `${format}/damaged/${name}`,
		format,
		wrong,
		bytes,
		options: { id: format === 'cline' ? '1700000000000_broke' : id, time, cwd, ...options },
	}));
}

export function repairCases(): readonly RepairCase[] {
	return [
		...fromCorpus(),
		...made('claude-code', claudeCodeDamage()),
		...made('openclaw', openclawDamage()),
		...made('clido', clidoDamage()),
		...made('cline', clineDamage()),
	];
}
