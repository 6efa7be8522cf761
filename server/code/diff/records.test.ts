import { expect, it } from 'vitest'
import { splitter } from './records'

const split = (chunks: string[]) => {
  const parts: [text: string, isCut: boolean][] = []
  const take = splitter(10, 8, (part, isCut) => {
    parts.push([part.toString(), isCut])
    return 10
  })
  for (const chunk of chunks) take(Buffer.from(chunk))
  return parts
}

it('splits output at separators, wherever its chunks end', () => {
  const text = 'one\n\ntwo two\n12345678\n'
  for (const chunks of [[text], [...text], [text.slice(0, 5), text.slice(5)]]) {
    expect(split(chunks)).toEqual(['one', '', 'two two', '12345678'].map(part => [part, false]))
  }
})

it('keeps no more than the limit of a part, however long it is', () => {
  expect(split([...Array(1000).fill('123'), '\nnext\n'])).toEqual([
    ['12312312', true],
    ['next', false],
  ])
})
