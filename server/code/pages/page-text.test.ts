import { expect, it } from 'vitest'
import { type PageExchange, pageExchanges } from '@/server/kernel/page-exchange'
import { keepPageText, pageTexts } from './page-text'

it('a page whose text was removed for other texts is marked as incomplete', () => {
  const exchange: PageExchange = { requestId: 'one', remoteAddress: '192.0.2.1' }
  const read = (key: string) => pageExchanges.run(exchange, () => pageTexts().get(key))
  const key = keepPageText('<p>short</p>')
  expect([read(key), exchange.isIncomplete]).toEqual(['<p>short</p>', undefined])
  for (const letter of 'ab') keepPageText(letter.repeat(7 * 1024 * 1024))
  expect([read(key), exchange.isIncomplete]).toEqual([undefined, true])
})
