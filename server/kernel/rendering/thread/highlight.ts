import type { Emitter } from 'highlight.js'
import highlighter from 'highlight.js/lib/core'
import { createLineWriter, type Lines } from '../lines'
import { loadGrammar } from './grammars'
import { classOf } from './scopes'

/** Length of a part of the text, and its class; empty for none. */
interface Run {
  length: number
  className: string
}

/**
 * highlight.js's interface for what receives its result. Keeps a flat list of parts with the class of the innermost
 * scope that has one: nesting shows nothing more, and a hostile text could nest without end.
 */
class Runs implements Emitter {
  readonly runs: Run[] = []
  readonly #classes: string[] = []

  get #current(): string {
    return this.#classes.at(-1) ?? ''
  }

  addText({ length }: string): void {
    this.#add(length, this.#current)
  }

  #add(length: number, className: string): void {
    const last = this.runs.at(-1)
    if (last?.className === className) last.length += length
    else if (length > 0) this.runs.push({ length, className })
  }

  startScope(name: string): void {
    this.#classes.push(classOf(name) ?? this.#current)
  }

  endScope(): void {
    this.#classes.pop()
  }

  // The library calls both by either name.
  openNode(name: string): void {
    this.startScope(name)
  }

  closeNode(): void {
    this.endScope()
  }

  __addSublanguage(emitter: Emitter): void {
    for (const { length, className } of (emitter as Runs).runs) this.#add(length, className || this.#current)
  }

  finalize(): void {}

  // Nothing uses it, and the library would compute it for each part in another language.
  toHTML(): string {
    return ''
  }
}

highlighter.configure({ __emitter: Runs })

/**
 * Returns the lines of a text highlighted as a language; undefined if there is no grammar or it fails. The text
 * has no carriage return before a line break.
 */
export async function highlight(text: string, language: string): Promise<Lines | undefined> {
  await loadGrammar(language)
  if (!highlighter.getLanguage(language)) return undefined
  const result = highlighter.highlight(text, { language, ignoreIllegals: true })
  const { runs } = result._emitter as Runs
  const writer = createLineWriter(text)
  let at = 0
  for (const { length, className } of runs) {
    at += length
    writer.add(at, className)
  }
  // The lines are made of the text itself, so a failure can only leave out part of it.
  return result.errorRaised || at !== text.length ? undefined : writer.finish()
}
