import { YamlObjectReader } from '@actions/workflow-parser/workflows/yaml-object-reader'
import { CST, isNode, Lexer, parseDocument, visit } from 'yaml'
import { unprocessable } from '@/server/kernel/errors'

/** In bytes of UTF-8. */
export const maxDocumentBytes = 512 * 1024
/** Of all jobs of a run together. */
export const maxJobs = 1000
export const maxMatrixJobs = 256

// Each alias is looked up in the whole document.
const maxAliases = 100
const maxNesting = 100
// With what aliases stand for.
const maxValues = 100_000
// Words, signs and comments of YAML: some ten thousand lines. Parsing takes longest where they are shortest.
const maxTokens = 150_000

/**
 * Refuses a document that would take long to read, before it is parsed: parsing looks up aliases one by one and takes a
 * level of the call stack for each level of nesting.
 * @throws {DomainError} unprocessable, naming the limit.
 */
export function requireModest(document: string): void {
  if (Buffer.byteLength(document) > maxDocumentBytes) {
    throw beyond(`is longer than ${maxDocumentBytes / 1024} KiB`)
  }
  let tokens = 0
  let aliases = 0
  let open = 0
  let dashes = 0
  let isScalarText = false
  for (const lexeme of new Lexer().lex(document)) {
    const type: string | null = isScalarText ? 'scalar text' : CST.tokenType(lexeme)
    isScalarText = type === 'scalar'
    if (type !== 'space' && ++tokens > maxTokens) throw beyond(`has more than ${maxTokens} words and signs`)
    if (type === 'alias') aliases++
    if (type === 'flow-map-start' || type === 'flow-seq-start') open++
    if (type === 'flow-map-end' || type === 'flow-seq-end') open--
    // Lists and keys begun on one line are one inside the other.
    if (type === 'newline') dashes = 0
    if (type === 'seq-item-ind' || type === 'explicit-key-ind') dashes++
    if (aliases > maxAliases) throw beyond(`has more than ${maxAliases} aliases`)
    if (open > maxNesting || dashes > maxNesting)
      throw beyond(`is nested more than ${maxNesting} levels deep`)
  }
  if (aliases > 0) requireFlatAliases(document)
}

// Aliases of aliases multiply, and each of them is looked up again wherever it stands.
function requireFlatAliases(document: string): void {
  visit(parseDocument(document, { uniqueKeys: false }), {
    Alias(_, __, path) {
      const isNested = path.some(above => isNode(above) && 'anchor' in above && above.anchor !== undefined)
      if (isNested) throw beyond('has an alias inside of what another alias stands for')
    },
  })
}

/** Reads YAML up to a number of values. */
export class LimitedReader extends YamlObjectReader {
  private values = 0

  override allowLiteral(): ReturnType<YamlObjectReader['allowLiteral']> {
    return this.count(super.allowLiteral())
  }

  override allowSequenceStart(): ReturnType<YamlObjectReader['allowSequenceStart']> {
    return this.count(super.allowSequenceStart())
  }

  override allowMappingStart(): ReturnType<YamlObjectReader['allowMappingStart']> {
    return this.count(super.allowMappingStart())
  }

  private count<T>(token: T): T {
    if (token !== undefined && ++this.values > maxValues) throw new TooManyValues()
    return token
  }
}

class TooManyValues extends Error {
  override message = `The workflow has more than ${maxValues} values.`
}

const beyond = (what: string) => unprocessable(`The workflow ${what}.`, { field: 'workflow' })
