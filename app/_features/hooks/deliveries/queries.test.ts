import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { type HookName, hooksKey } from '@/app/_lib/queries/hooks'
import { deliveryQuery, dryRunQuery, replayCountQuery } from './queries'

it('new deliveries of a hook change neither an open dry run nor a replay count being confirmed', async () => {
  const hook: HookName = { scope: { kind: 'own' }, id: 7 }
  const span = { since: '2026-11-01T00:00:00Z', until: '2026-11-02T00:00:00Z', status: 'failed' } as const
  const client = new QueryClient()
  const keys: (readonly unknown[])[] = [
    deliveryQuery(hook, 1).queryKey,
    dryRunQuery(hook, 1).queryKey,
    replayCountQuery(hook, span).queryKey,
  ]
  for (const key of keys) client.setQueryData(key, {})
  await client.invalidateQueries({ queryKey: hooksKey(hook.scope) })
  expect(keys.map(key => client.getQueryState(key)?.isInvalidated)).toEqual([true, false, false])
  client.clear()
})
