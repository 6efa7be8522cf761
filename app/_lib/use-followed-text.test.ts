import { expect, it } from 'vitest'
import { afterAddress, afterSending } from './use-followed-text'

it('afterAddress keeps letters typed while the URL was changing', () => {
  const typing = { text: 'abc', value: '', sent: ['a', 'ab'] }
  const arrived = afterAddress(typing, 'ab')
  expect(arrived).toEqual({ text: 'abc', value: 'ab', sent: [] })
  const late = afterAddress({ ...typing, sent: ['a', 'ab', 'abc'] }, 'a')
  expect(late).toEqual({ text: 'abc', value: 'a', sent: ['ab', 'abc'] })
})

it('afterAddress adopts changes of the URL made by other means', () => {
  expect(afterAddress({ text: 'abc', value: 'ab', sent: ['abc'] }, '')).toEqual({
    text: '',
    value: '',
    sent: [],
  })
  expect(afterAddress({ text: 'ab ', value: '', sent: [] }, 'ab').text).toBe('ab ')
})

it('afterSending keeps a letter typed while the URL starts to change', () => {
  const typed = { text: 'ab', value: '', sent: [] }
  expect(afterSending(typed, 'a')).toEqual({ text: 'ab', value: '', sent: ['a'] })
})
