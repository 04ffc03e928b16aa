/** Which models can be asked here. */
import { expect, it } from 'vitest';
import { loadPrices } from '../catalog/cost/prices.ts';
import { modelsHere } from './models-here.ts';

it('only models of providers that are set up are listed, newest first, with price and window', () => {
	expect(modelsHere({}, loadPrices())).toEqual([]);
	const found = modelsHere({ ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k' }, loadPrices());
	expect(new Set(found.map(({ name }) => name.split('/')[0]))).toEqual(new Set(['anthropic', 'google']));
	expect(found.filter(({ isDefault }) => isDefault).length).toBe(2);
	const opus = found.findIndex(({ name }) => name === 'anthropic/claude-opus-5-5');
	expect(found[opus]).toMatchObject({
		input: expect.any(Number),
		output: expect.any(Number),
		window: expect.any(Number),
	});
	expect(opus).toBeLessThan(found.findIndex(({ name }) => name === 'anthropic/claude-opus-4-1'));
	expect(found.some(({ name }) => /tts|embedding|image/.test(name))).toBe(false);
});

it('a default that no table knows is listed all the same', () => {
	const found = modelsHere({ OLLAMA_HOST: 'http://127.0.0.1:1', OLLAMA_MODEL: 'own' }, { models: () => [] });
	expect(found).toEqual([{ name: 'ollama/own', isDefault: true }]);
});
