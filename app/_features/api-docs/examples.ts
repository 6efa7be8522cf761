import { shellWord } from '@/app/_lib/format'
import type { ApiCall } from './description'
import type { CallInput } from './request'

export const languages = ['curl', 'JavaScript', 'Python'] as const
export type Language = (typeof languages)[number]

/**
 * Returns a command or code that sends the request. It contains the placeholder `TOKEN` instead of the access
 * token, so that copying an example cannot leak it.
 */
export function exampleOf(language: Language, call: ApiCall, address: string, input: CallInput): string {
  return writers[language](call, address, input)
}

const writers: Record<Language, (call: ApiCall, address: string, input: CallInput) => string> = {
  curl(call, address, { body }) {
    const parts = ['curl']
    if (call.method !== 'GET') parts.push('-X', call.method)
    if (call.credentials === 'needed') parts.push('-H', shellWord('Authorization: token TOKEN'))
    if (call.body) parts.push('-H', shellWord(`Content-Type: ${call.body.type}`), '-d', shellWord(body))
    return [...parts, shellWord(address)].join(' ')
  },
  JavaScript(call, address, { body }) {
    const options = [
      ...(call.method === 'GET' ? [] : [`  method: ${quoted(call.method)},`]),
      ...(headersOf(call).length > 0 ? [`  headers: { ${headersOf(call).join(', ')} },`] : []),
      ...(call.body ? [`  body: ${quoted(body)},`] : []),
    ]
    const optionsText = options.length > 0 ? `, {\n${options.join('\n')}\n}` : ''
    return `const response = await fetch(${quoted(address)}${optionsText})\nconsole.log(response.status, await response.text())`
  },
  Python(call, address, { body }) {
    const args = [
      quoted(address),
      ...(call.method === 'GET' ? [] : [`method=${quoted(call.method)}`]),
      ...(headersOf(call).length > 0 ? [`headers={${headersOf(call).join(', ')}}`] : []),
      ...(call.body ? [`data=${quoted(body)}.encode()`] : []),
    ]
    return [
      'from urllib.request import Request, urlopen',
      `response = urlopen(Request(${args.join(', ')}))`,
      'print(response.status, response.read().decode())',
    ].join('\n')
  },
}

const headersOf = (call: ApiCall): string[] => [
  ...(call.credentials === 'needed' ? ['"Authorization": "token TOKEN"'] : []),
  ...(call.body ? [`"Content-Type": ${quoted(call.body.type)}`] : []),
]

// A JSON string literal is also valid in JavaScript and Python.
const quoted = (text: string): string => JSON.stringify(text)
