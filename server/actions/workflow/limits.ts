import { isString } from '@actions/workflow-parser'
import { StringToken } from '@actions/workflow-parser/templates/tokens/index'
import { YamlObjectReader } from '@actions/workflow-parser/workflows/yaml-object-reader'
import { CST, type Document, isNode, Lexer, LineCounter, parseDocument, visit } from 'yaml'
import { unprocessable } from '@/server/kernel/errors'

/** Maximum size of a workflow file, in bytes of UTF-8. */
export const maxDocumentBytes = 512 * 1024
/** Maximum number of `cron` lines in one file. */
export const maxCrons = 50
/** Maximum number of `include` entries in one matrix. */
export const maxIncludes = 256
export const maxExcludes = 1000
/** Maximum number of jobs that wait for each other in a row. */
export const maxChain = 256

/** Maximum number of aliases: resolving each one searches the whole document. */
export const maxAliases = 50
/** Maximum levels of nesting: the reader passes each value through all levels above it. */
export const maxNesting = 32
/** Maximum number of values, counting the values that aliases stand for each time. */
export const maxValues = 30_000
export const maxCharacters = 512 * 1024
/**
 * Maximum number of YAML tokens: words, signs, line breaks and comments. Short tokens take the longest to
 * parse relative to their size.
 */
export const maxTokens = 60_000
// Counting stops at this multiple of the limit.
const countedTimes = 3

/**
 * Parses a document, unless that would take more than about 300 ms, during which all other documents wait.
 * @throws {DomainError} unprocessable, naming the limit and the actual number.
 */
export function parseModest(document: string): { parsed: Document.Parsed; lines: LineCounter } {
  const bytes = Buffer.byteLength(document)
  if (bytes > maxDocumentBytes) {
    throw beyond(
      `is ${formatNumber(Math.ceil(bytes / 1024))} KiB; the limit is ${maxDocumentBytes / 1024} KiB`,
    )
  }
  const { aliases } = countTokens(document)
  const lines = new LineCounter()
  const parsed = withoutStacks(() =>
    parseDocument(document, {
      lineCounter: lines,
      keepSourceTokens: true,
      uniqueKeys: false,
      // The excerpt in each error would copy its line, which can be the whole document.
      prettyErrors: false,
    }),
  )
  if (aliases > 0) requireFlatAliases(parsed)
  return { parsed, lines }
}

// A long text can have an error in every other character, and most of the time would be spent on their stack
// traces.
function withoutStacks<T>(parse: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return parse()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function countTokens(document: string): { aliases: number } {
  let tokens = 0
  let aliases = 0
  let open = 0
  let dashes = 0
  let deepest = 0
  let isScalarText = false
  for (const lexeme of new Lexer().lex(document)) {
    const type: string | null = isScalarText ? 'scalar text' : CST.tokenType(lexeme)
    isScalarText = type === 'scalar'
    if (type !== 'space') tokens++
    if (type === 'alias') aliases++
    if (type === 'flow-map-start' || type === 'flow-seq-start') open++
    if (type === 'flow-map-end' || type === 'flow-seq-end') open--
    // Lists and keys that start on the same line are nested.
    if (type === 'newline') dashes = 0
    if (type === 'seq-item-ind' || type === 'explicit-key-ind') dashes++
    deepest = Math.max(deepest, open, dashes)
    if (tokens > countedTimes * maxTokens) break
  }
  requireAtMost(maxNesting, deepest, 'levels of nesting')
  requireAtMost(maxAliases, aliases, 'aliases')
  requireAtMost(maxTokens, tokens, 'YAML tokens')
  return { aliases }
}

// Nested aliases multiply, and each one is resolved again everywhere it appears.
function requireFlatAliases(parsed: Document.Parsed): void {
  visit(parsed, {
    Alias(_, __, path) {
      const isNested = path.some(above => isNode(above) && 'anchor' in above && above.anchor !== undefined)
      if (isNested) throw beyond('has an alias inside the value of another alias')
    },
  })
}

/** Reads parsed YAML up to a maximum number of values, characters and levels. */
export class LimitedReader extends YamlObjectReader {
  private values = 0
  private characters = 0
  private depth = 0
  private previous: string | undefined

  constructor(file: number, { parsed, lines }: ReturnType<typeof parseModest>) {
    // Passing the document would parse it again, without our options.
    super(file, '')
    Object.assign(this, { doc: parsed, lineCounter: lines })
    const nodesOf: (document: Document.Parsed, open: Set<unknown>) => unknown = Reflect.get(this, 'getNodes')
    Object.assign(this, { _generator: nodesOf.call(this, parsed, new Set()) })
  }

  override allowLiteral(): ReturnType<YamlObjectReader['allowLiteral']> {
    const token = this.corrected(this.count(super.allowLiteral()))
    this.characters += token && isString(token) ? token.value.length : 0
    if (this.characters > maxCharacters) throw tooMuch(maxCharacters, 'characters')
    return token
  }

  override allowSequenceStart(): ReturnType<YamlObjectReader['allowSequenceStart']> {
    return this.deeper(super.allowSequenceStart())
  }

  override allowSequenceEnd(): boolean {
    return this.higher(super.allowSequenceEnd())
  }

  override allowMappingStart(): ReturnType<YamlObjectReader['allowMappingStart']> {
    return this.deeper(super.allowMappingStart())
  }

  override allowMappingEnd(): boolean {
    return this.higher(super.allowMappingEnd())
  }

  // The parser searches the source of texts of several lines for expressions, with its quotes, indentation and
  // last line break, so a folded condition would be a text with an expression in it, which is always true. For
  // `run`, which only the runner evaluates, the source gives mistakes their exact column. It also takes keys for
  // text that are not, such as 1 and true.
  private corrected<T>(token: T): T | StringToken {
    const { previous } = this
    const text = token instanceof StringToken ? String(token.value ?? '') : undefined
    this.previous = text
    if (!(token instanceof StringToken) || text === undefined) return token
    const { file, range } = token
    const isLong = range && range.start.line !== range.end.line && previous !== 'run'
    return isLong || text !== token.value ? new StringToken(file, range, text, undefined) : token
  }

  private count<T>(token: T): T {
    if (token !== undefined && ++this.values > maxValues) throw tooMuch(maxValues, 'values')
    return token
  }

  private deeper<T>(token: T): T {
    if (token !== undefined && ++this.depth > maxNesting) throw tooMuch(maxNesting, 'levels of nesting')
    return this.count(token)
  }

  private higher(isEnd: boolean): boolean {
    if (isEnd) this.depth--
    return isEnd
  }
}

function requireAtMost(limit: number, found: number, what: string): void {
  if (found <= limit) return
  const most = countedTimes * limit
  const has = found > most ? `more than ${formatNumber(most)}` : formatNumber(found)
  throw beyond(`has ${has} ${what}; at most ${formatNumber(limit)} are allowed`)
}

// Reading stops at the limit, so the total is unknown.
const tooMuch = (limit: number, what: string) =>
  beyond(`has more than ${formatNumber(limit)} ${what}, counting each use of an alias`)

const formatNumber = (count: number): string => count.toLocaleString('en-US')
const beyond = (what: string) => unprocessable(`The workflow ${what}.`, { field: 'workflow' })
