import { data, Evaluator, type Expr, Lexer, Parser, wellKnownFunctions } from '@actions/expressions'
import type { FunctionDefinition } from '@actions/expressions/funcs/info'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** What an expression can read, by name: `github`, `matrix`, `needs`. */
export type Contexts = Readonly<Record<string, Json>>

/** Evaluates one expression, without the braces around it. */
export type Evaluate = (expression: string, contexts: Contexts) => Json

/** Tells how the jobs that a job needs have ended. */
export interface StatusFunctions {
  success: () => boolean
  failure: () => boolean
  cancelled: () => boolean
}

// A workflow can repeat a long expression for each of its jobs.
const maxCharacters = 2_000_000
// Of a result on the way: nested calls of `format` multiply it.
const maxText = 4096

// Known to GitHub, and empty before a job runs.
const emptyContexts = { needs: {}, strategy: {}, vars: {}, inputs: {}, secrets: {}, env: {} }

/**
 * Makes an evaluator of expressions with GitHub's own functions. It evaluates only so many characters in all.
 * What it throws is a message about the expression.
 */
export function createEvaluator(status?: StatusFunctions): Evaluate {
  const functions = functionsFor(status)
  const parsed = new Map<string, Expr>()
  let characters = 0
  // A job evaluates many expressions with the same contexts, whose values can be long.
  let last: { contexts: Contexts; values: data.Dictionary } | undefined
  const valuesOf = (contexts: Contexts): data.Dictionary => {
    if (last?.contexts !== contexts) {
      const pairs = Object.entries({ ...emptyContexts, ...contexts })
      const values = new data.Dictionary(...pairs.map(([key, value]) => ({ key, value: toData(value) })))
      last = { contexts, values }
    }
    return last.values
  }
  return (expression, contexts) => {
    characters += expression.length
    if (characters > maxCharacters) throw new Error('the expressions of this workflow are too long')
    const names = Object.keys({ ...emptyContexts, ...contexts })
    const tree = parsed.get(expression) ?? parse(expression, names, [...functions.values()])
    parsed.set(expression, tree)
    return fromData(new Evaluator(tree, valuesOf(contexts), functions).evaluate())
  }
}

function parse(expression: string, contexts: string[], functions: FunctionDefinition[]): Expr {
  return new Parser(new Lexer(expression).lex().tokens, contexts, functions).parse()
}

function functionsFor(status: StatusFunctions | undefined): Map<string, FunctionDefinition> {
  const all = new Map(Object.entries(wellKnownFunctions).map(([name, known]) => [name, limited(known)]))
  const answers: Record<string, () => boolean> = { always: () => true, ...status }
  for (const [name, answer] of Object.entries(answers)) {
    all.set(name, { name, minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(answer()) })
  }
  return all
}

const limited = (known: FunctionDefinition): FunctionDefinition => ({
  ...known,
  call(...args) {
    const result = known.call(...args)
    if (result.kind === data.Kind.String && result.coerceString().length > maxText) {
      throw new Error(`'${known.name}' gives more than ${maxText} characters`)
    }
    return result
  },
})

const toData = (value: Json): data.ExpressionData => JSON.parse(JSON.stringify(value), data.reviver)
const fromData = (value: data.ExpressionData): Json =>
  JSON.parse(JSON.stringify(value, data.replacer), (_, part) =>
    typeof part === 'string' ? storable(part) : part,
  )

/** A text without what the database has no place for: NUL and lone surrogates. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** A value as GitHub writes it into a text; a list or a mapping has none. */
export function textOf(value: Json): string {
  return value === null || typeof value === 'object' ? '' : String(value)
}
