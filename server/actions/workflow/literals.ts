import { isBasicExpression, isLiteral, isMapping, isSequence } from '@actions/workflow-parser'
import type { TemplateToken } from '@actions/workflow-parser/templates/tokens/index'
import { type Contexts, type Evaluate, type Json, storable, textOf } from './expressions'
import { at, refusal } from './refusal'

/** Evaluator with the contexts that expressions at one position of a workflow can read. */
export interface Reader {
  evaluate: Evaluate
  contexts: Contexts
}

/**
 * Returns the value of a token with its expressions evaluated.
 * @throws {DomainError} unprocessable with the position of an expression that cannot be evaluated.
 */
export function literalOf(reader: Reader, token: TemplateToken): Json {
  if (isBasicExpression(token)) return evaluated(reader, token, token.expression)
  if (isSequence(token)) return [...token].map(item => literalOf(reader, item))
  if (isMapping(token)) {
    return Object.fromEntries(
      [...token].map(({ key, value }) => [storable(key.toString()), literalOf(reader, value)]),
    )
  }
  if (!isLiteral(token)) throw refusal(token, 'Expected a value here.')
  const value = token.toJSON() as Json
  return typeof value === 'string' ? storable(value) : value
}

/** Returns the text of a token with its expressions evaluated. */
export const textAt = (reader: Reader, token: TemplateToken): string => textOf(literalOf(reader, token))

function evaluated({ evaluate, contexts }: Reader, node: TemplateToken, expression: string): Json {
  try {
    return evaluate(expression, contexts)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw refusal(undefined, at(node, `The expression '${shortened(expression)}' fails: ${problem}.`))
  }
}

const shortened = (text: string): string => (text.length > 100 ? `${text.slice(0, 99)}…` : text)
