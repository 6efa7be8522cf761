// The short names that GitHub gives its classes, without a class for what is shown as ordinary text.
const comment = 'pl-c'
const constant = 'pl-c1'
const entity = 'pl-en'
const tag = 'pl-ent'
const keyword = 'pl-k'
const string = 'pl-s'
const variable = 'pl-v'

const classes = new Map([
  ['addition', 'pl-mi1'],
  ['attr', constant],
  ['attribute', constant],
  ['built_in', variable],
  ['bullet', 'pl-ml'],
  ['char', constant],
  ['code', constant],
  ['comment', comment],
  ['deletion', 'pl-md'],
  ['doctag', keyword],
  ['emphasis', 'pl-mi'],
  ['formula', comment],
  ['keyword', keyword],
  ['link', 'pl-corl'],
  ['literal', constant],
  ['meta', constant],
  ['meta.prompt', comment],
  ['name', tag],
  ['number', constant],
  ['operator', keyword],
  ['property', constant],
  ['quote', tag],
  ['regexp', 'pl-sr'],
  ['section', 'pl-mh'],
  ['selector-attr', constant],
  ['selector-class', constant],
  ['selector-id', constant],
  ['selector-pseudo', tag],
  ['selector-tag', tag],
  ['string', string],
  ['strong', 'pl-mb'],
  ['subst', ''],
  ['symbol', variable],
  ['template-tag', keyword],
  ['template-variable', keyword],
  ['title', entity],
  ['type', keyword],
  ['variable', variable],
  ['variable.constant', constant],
  ['variable.language', keyword],
])

/**
 * Returns the class for a scope of highlight.js such as `title.function`: empty for ordinary text, and
 * undefined for a scope that looks like what is around it.
 */
export function classOf(scope: string): string | undefined {
  const dot = scope.indexOf('.')
  return classes.get(scope) ?? (dot === -1 ? undefined : classes.get(scope.slice(0, dot)))
}
