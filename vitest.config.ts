import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
		globalSetup: ['test/support/leaves-nothing.ts'],
		// Machines that run the tests may be busy; a law takes as long as it takes.
		testTimeout: 120_000,
		hookTimeout: 120_000,
		maxWorkers: 2,
	},
});
