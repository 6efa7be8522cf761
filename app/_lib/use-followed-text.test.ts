import { expect, it } from 'vitest'
import { afterAddress, afterSending } from './use-followed-text'

it('keeps letters that are typed while the address is on its way', () => {
  const typing = { text: 'abc', value: '', sent: ['a', 'ab'] }
  const arrived = afterAddress(typing, 'ab')
  expect(arrived).toEqual({ text: 'abc', value: 'ab', sent: [] })
  const late = afterAddress({ ...typing, sent: ['a', 'ab', 'abc'] }, 'a')
  expect(late).toEqual({ text: 'abc', value: 'a', sent: ['ab', 'abc'] })
})

it('shows what the address was changed to by other means', () => {
  expect(afterAddress({ text: 'abc', value: 'ab', sent: ['abc'] }, '')).toEqual({
    text: '',
    value: '',
    sent: [],
  })
  expect(afterAddress({ text: 'ab ', value: '', sent: [] }, 'ab').text).toBe('ab ')
})

it('keeps a letter that is typed as the address is asked to follow', () => {
  const typed = { text: 'ab', value: '', sent: [] }
  expect(afterSending(typed, 'a')).toEqual({ text: 'ab', value: '', sent: ['a'] })
})
