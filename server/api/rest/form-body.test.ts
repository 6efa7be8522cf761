import { expect, it } from 'vitest'
import { z } from 'zod'
import { isDomainError } from '@/server/kernel/errors'
import { parseForm } from './form-body'

const fields = { title: z.string(), key: z.string() }
const urlencoded = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=b'
const megabyte = 1024 * 1024

const fill = (text: string): string => text.repeat(Math.floor((megabyte - 200) / text.length))
const numbered = Array.from({ length: 150_000 }, (_, index) => `f${index}`).join('&')
const inPart = (text: string): string =>
  `--b\r\nContent-Disposition: form-data; name="title"\r\n\r\n${text}\r\n--b--\r\n`

// Parsing one of these without limits would block the event loop for up to three seconds.
it.each([
  ['empty fields', urlencoded, fill('a&')],
  ['one repeated field', urlencoded, fill('a=1&')],
  ['fields of many names', urlencoded, numbered],
  ['one field of escapes', urlencoded, `title=${fill('%41')}`],
  ['one field of pluses', urlencoded, `title=${fill('+')}`],
  ['parts', multipart, fill('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n')],
  ['headers', multipart, `--b\r\n${fill('a:b\r\n')}\r\nx\r\n--b--\r\n`],
  ['line breaks', multipart, inPart(fill('\r'))],
  ['boundary prefixes', multipart, inPart(fill('\r\n--c'))],
])('a megabyte of %s is read or rejected within half a second', async (_, type, text) => {
  const bytes = Buffer.from(text)
  const started = performance.now()
  await parseForm(bytes, type, fields).catch((error: unknown) => {
    if (!isDomainError(error)) throw error
  })
  expect(performance.now() - started).toBeLessThan(500)
})

it('line breaks, pluses, and spaces in a form are preserved', async () => {
  const lines = 'a line\r\n'.repeat(2000)
  expect(await parseForm(Buffer.from(inPart(lines)), multipart, fields)).toEqual({ title: lines })
  const form = Buffer.from('title=a+b%2Bc&key=%F0%9F%A6%8A&key=last')
  expect(await parseForm(form, urlencoded, fields)).toEqual({ title: 'a b+c', key: 'last' })
})
