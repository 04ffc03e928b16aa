/** The claude-code codec and its native types. */
export * from './codecs/claude-code/index.ts';
