import { describe, expect, it } from 'vitest'
import { base64Of, indentOf, readTextForm, textOfBase64, writeTextForm } from './text-form'

describe('readTextForm and writeTextForm', () => {
  it.each(['', 'a', 'a\nb\n', 'a\r\nb\r\n', 'a\r\nb\n', 'a\rb', 'a\n\rb', '\ufeffa\r\nb', '\ufeff'])(
    'an unchanged %j is written as it was',
    content => {
      const form = readTextForm(content)
      expect(writeTextForm(form.text, form)).toBe(content)
    },
  )

  it('a line added to a file with CRLF ends with CRLF', () => {
    const form = readTextForm('a\r\n')
    expect(form.text).toBe('a\n')
    expect(writeTextForm(`${form.text}b\n`, form)).toBe('a\r\nb\r\n')
  })
})

describe('indentOf', () => {
  it.each([
    ['a\n\tb\n\tc\n', '\t'],
    ['a:\n  b:\n    c\n  d:\n', '  '],
    ['a\n    b\n        c\n', '    '],
    ['a\nb\n', '  '],
    ['', '  '],
  ])('%j is indented by %j', (text, indent) => {
    expect(indentOf(text)).toBe(indent)
  })
})

describe('base64Of', () => {
  it('is reversed by textOfBase64, whatever the text', () => {
    for (const text of ['', 'é\ufeff\u{1f600}\0', 'x'.repeat(100_000)])
      expect(textOfBase64(base64Of(text))).toBe(text)
    expect(textOfBase64(btoa('\xff'))).toBeUndefined()
  })
})
