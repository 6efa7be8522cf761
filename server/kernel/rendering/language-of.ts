import { type Language, languagesByPattern } from './languages'

/**
 * Returns the language of a file by its name, or by the interpreter that its first line names; undefined if
 * neither is known. The name decides if both are.
 */
export function languageOf(path: string, firstLine = ''): Language | undefined {
  return byName(path.slice(path.lastIndexOf('/') + 1).toLowerCase()) ?? byInterpreter(firstLine)
}

// No extension has more parts, and a name can have thousands of dots.
const maxParts = 3
const withSuffix = /^(dockerfile|containerfile|makefile|jenkinsfile|vagrantfile)[.-]/

function byName(name: string): Language | undefined {
  const whole = languagesByPattern.get(name)
  if (whole) return whole
  const parts = name.split('.').slice(1).slice(-maxParts)
  for (let at = 0; at < parts.length; at++) {
    const language = languagesByPattern.get(`.${parts.slice(at).join('.')}`)
    if (language) return language
  }
  return languagesByPattern.get(withSuffix.exec(name)?.[1] ?? '')
}

const maxFirstLine = 200

function byInterpreter(firstLine: string): Language | undefined {
  if (!firstLine.startsWith('#!')) return undefined
  const words = firstLine.slice(2, maxFirstLine).trim().split(/\s+/)
  // Assignments and options of `env` come before the program.
  const program = baseOf(words[0]) === 'env' ? words.slice(1).find(word => !/^-|=/.test(word)) : words[0]
  const name = baseOf(program).toLowerCase()
  const found = languagesByPattern.get(`!${name}`)
  return found ?? languagesByPattern.get(`!${name.replace(/[\d.]+$/, '')}`)
}

const baseOf = (program = ''): string => program.slice(program.lastIndexOf('/') + 1)

/** Returns the language with this name, such as `C++`; undefined if there is none. */
export const languageNamed = (name: string): Language | undefined =>
  languagesByPattern.get(`#${name.toLowerCase()}`)

// Names that people write after the fence of a code block, besides names and extensions of languages.
const synonyms: Record<string, string> = {
  console: 'shell',
  golang: 'go',
  'objective-c': 'objectivec',
  php: 'php',
  pycon: 'python-repl',
  shell: 'bash',
  'shell-session': 'shell',
  terminal: 'shell',
  zsh: 'bash',
}

/** Returns the identifier of the grammar for the language that a code block names, such as `ts` or `C++`. */
export function grammarNamed(name: string): string | undefined {
  const low = name.slice(0, 50).toLowerCase()
  if (Object.hasOwn(synonyms, low)) return synonyms[low]
  for (const pattern of [`#${low}`, `.${low}`, `!${low}`, low]) {
    const id = languagesByPattern.get(pattern)?.id
    if (id) return id
  }
  return undefined
}
