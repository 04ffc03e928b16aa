import { defineConfig } from 'vitest/config';

/** Parts whose modules hold nothing between calls, and whose tests change nothing of the process: their files may share one. */
const shared = ['src/{agent,client,codecs,host,model,store,tools}/**/*.test.ts'];

export default defineConfig({
	test: {
		globalSetup: ['test/support/leaves-nothing.ts'],
		// Machines that run the tests may be busy; a law takes as long as it takes.
		testTimeout: 120_000,
		hookTimeout: 120_000,
		maxWorkers: 2,
		projects: [
			// Loading all modules anew for each of these files takes longer than most of their tests.
			{ extends: true, test: { name: 'parts', include: shared, isolate: false } },
			{ extends: true, test: { name: 'whole', include: ['src/**/*.test.ts', 'test/**/*.test.ts'], exclude: shared } },
		],
	},
});
