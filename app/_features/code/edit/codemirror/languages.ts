import type { LanguageSupport } from '@codemirror/language'

type Load = () => Promise<LanguageSupport>

const script =
  (config: { typescript?: boolean; jsx?: boolean }): Load =>
  async () =>
    (await import('@codemirror/lang-javascript')).javascript(config)
const json: Load = async () => (await import('@codemirror/lang-json')).json()
const html: Load = async () => (await import('@codemirror/lang-html')).html()
const css: Load = async () => (await import('@codemirror/lang-css')).css()
const markdown: Load = async () => (await import('@codemirror/lang-markdown')).markdown()
const python: Load = async () => (await import('@codemirror/lang-python')).python()
const yaml: Load = async () => (await import('@codemirror/lang-yaml')).yaml()
const go: Load = async () => (await import('@codemirror/lang-go')).go()
const rust: Load = async () => (await import('@codemirror/lang-rust')).rust()

const byEnding: Readonly<Record<string, Load>> = {
  js: script({ jsx: true }),
  cjs: script({}),
  mjs: script({}),
  jsx: script({ jsx: true }),
  ts: script({ typescript: true }),
  cts: script({ typescript: true }),
  mts: script({ typescript: true }),
  tsx: script({ typescript: true, jsx: true }),
  json,
  jsonc: json,
  webmanifest: json,
  html,
  htm: html,
  svg: html,
  xml: html,
  vue: html,
  css,
  scss: css,
  less: css,
  md: markdown,
  markdown,
  py: python,
  pyi: python,
  yml: yaml,
  yaml,
  go,
  rs: rust,
}

/** Loads the language of files with this name; undefined if none is known. */
export async function languageFor(name: string): Promise<LanguageSupport | undefined> {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return await (Object.hasOwn(byEnding, ending) ? byEnding[ending]?.() : undefined)
}
