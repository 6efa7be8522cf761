import { data, Evaluator, type Expr, Lexer, Parser, wellKnownFunctions } from '@actions/expressions'
import type { ContextAccess, IndexAccess } from '@actions/expressions/ast'
import type { FunctionDefinition } from '@actions/expressions/funcs/info'
import { TokenType } from '@actions/expressions/lexer'
import { equals } from '@actions/expressions/result'
import type { Json } from '@/db/tables/workflow-templates'
import { nestingOf } from '@/server/kernel/json-nesting'
import { fromData, keptDepth, sizeOf, storable, toData } from './expression-data'

export { type Json, storable }

/** Contexts that an expression can read, by name, such as `github`, `matrix` and `needs`. */
export type Contexts = Readonly<Record<string, Json>>

/** Evaluates one expression, passed without the surrounding `${{ }}`. */
export type Evaluate = (expression: string, contexts: Contexts) => Json

/** Status functions of expressions, which report how the jobs before a job ended. */
export interface StatusFunctions {
  success: () => boolean
  failure: () => boolean
  cancelled: () => boolean
}

// A workflow can repeat a long expression for each of its jobs.
const maxCharacters = 2_000_000
// Limit for intermediate results: nested calls of `format` multiply their length.
const maxText = 4096
// Limit for values that are compared, searched or written, in characters: about 100 ms, and far more than
// workflows need.
const maxEffort = 50_000_000

// Contexts that GitHub knows but that are empty before a job runs.
const emptyContexts: Contexts = { needs: {}, strategy: {}, vars: {}, inputs: {}, secrets: {}, env: {} }
// Gitea's name of the context `github`.
const alias = 'gitea'

/**
 * Creates an evaluator of expressions with GitHub's own functions. It limits the total length of the
 * expressions that it evaluates and the total amount that they read; a single expression can read at most
 * `maxEffortOfOne`. Errors have a message about the expression. Contexts must not change after an expression
 * has read them.
 */
export function createEvaluator(status?: StatusFunctions, maxEffortOfOne = maxEffort): Evaluate {
  const parsed = new Map<string, Expr>()
  let characters = 0
  let effort = 0
  let most = maxEffort
  const spend = (more: number): void => {
    effort += more
    if (effort > most) throw new Error('the expressions in this workflow read too much')
  }
  const functions = functionsFor(status, spend)
  return (expression, contexts) => {
    characters += expression.length
    if (characters > maxCharacters) throw new Error('the expressions in this workflow are too long')
    most = Math.min(maxEffort, effort + maxEffortOfOne)
    const names = [...new Set([alias, ...Object.keys(emptyContexts), ...Object.keys(contexts)])]
    const tree = parsed.get(expression) ?? parse(expression, names, [...functions.values()])
    parsed.set(expression, tree)
    const value = new LimitedEvaluator(tree, contexts, functions, spend).evaluate()
    spend(sizeOf(value))
    return fromData(value)
  }
}

// In characters: adding an item to an array takes as long as reading so many.
const effortOfItem = 20

/** Reads a context only if the expression uses it, and counts the amount that is read. */
class LimitedEvaluator extends Evaluator {
  constructor(
    tree: Expr,
    private readonly contexts: Contexts,
    functions: Map<string, FunctionDefinition>,
    private readonly spend: (effort: number) => void,
  ) {
    super(tree, new data.Dictionary(), functions)
  }

  override visitContextAccess({ name }: ContextAccess): data.ExpressionData {
    const written = name.lexeme.toLowerCase()
    const key = written === alias ? 'github' : written
    return toData((Object.hasOwn(this.contexts, key) ? this.contexts : emptyContexts)[key] ?? null)
  }

  override visitIndexAccess(access: IndexAccess): data.ExpressionData {
    const value = super.visitIndexAccess(access)
    if (value.kind === data.Kind.String) this.spend(value.value.length)
    // Each `.*` creates a new array.
    if (value.kind === data.Kind.Array && value instanceof data.Array)
      this.spend(effortOfItem * value.values().length)
    return value
  }
}

function parse(expression: string, contexts: string[], functions: FunctionDefinition[]): Expr {
  const { tokens } = new Lexer(expression).lex()
  // The lexer replaces only the first '' of a text by an apostrophe.
  for (const token of tokens)
    if (token.type === TokenType.STRING) token.value = token.lexeme.slice(1, -1).replaceAll("''", "'")
  return new Parser(tokens, contexts, functions).parse()
}

function functionsFor(
  status: StatusFunctions | undefined,
  spend: (effort: number) => void,
): Map<string, FunctionDefinition> {
  const all = new Map(
    Object.entries(wellKnownFunctions).map(([name, known]) => [
      name,
      known.name === 'fromJson' ? readingJson(known, spend) : limited(known, spend),
    ]),
  )
  const answers: Record<string, () => boolean> = { always: () => true, ...status }
  for (const [name, answer] of Object.entries(answers)) {
    all.set(name, { name, minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(answer()) })
  }
  return all
}

const limited = (known: FunctionDefinition, spend: (effort: number) => void): FunctionDefinition => ({
  ...known,
  call(...args) {
    spend(effortOf(known.name, args))
    const result = known.call(...args)
    if (result.kind === data.Kind.String && result.coerceString().length > maxText) {
      throw new Error(`'${known.name}' returns more than ${maxText} characters`)
    }
    return result
  },
})

// Reading JSON takes longer per character than anything else.
const jsonEffort = 40
// The database, and threads that data is sent to, cannot take any depth.
const maxNesting = 100

// The jobs of a matrix usually read the same text.
function readingJson(known: FunctionDefinition, spend: (effort: number) => void): FunctionDefinition {
  const read = new Map<string, data.ExpressionData>()
  return {
    ...known,
    call(...args) {
      const text = args[0]?.coerceString() ?? ''
      spend(text.length)
      const found = read.get(text)
      if (found) return found
      spend((jsonEffort - 1) * text.length)
      if (nestingOf(text) > maxNesting)
        throw new Error(`'${known.name}' reads at most ${maxNesting} levels of nesting`)
      const value = text.trim() === '' ? known.call(...args) : toData(parsedJson(text), keptDepth + 1)
      read.set(text, value)
      return value
    },
  }
}

// The parser's message quotes the text, which can be a secret.
function parsedJson(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('Error parsing JSON when evaluating fromJson')
  }
}

// Some functions compare or write one value once per element of another.
function effortOf(name: string, [first, ...others]: data.ExpressionData[]): number {
  if (!first) return 0
  const sizes = others.reduce((sum, other) => sum + sizeOf(other), 0)
  const isRepeated = name === 'format' || name === 'join' || (name === 'contains' && !first.primitive)
  return isRepeated ? sizeOf(first) * (sizes + 1) : sizeOf(first) + sizes
}

/** Whether two values are equal by `==` in expressions. */
export const areEqual = (left: Json, right: Json): boolean => equals(toData(left), toData(right))

/** Converts a value to a string as GitHub does within a text; lists and mappings become empty. */
export function textOf(value: Json): string {
  return value === null || typeof value === 'object' ? '' : String(value)
}
