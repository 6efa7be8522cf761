import { MutationObserver, onlineManager } from '@tanstack/react-query'
import { afterEach, expect, it } from 'vitest'
import { makeQueryClient } from './query-client'

afterEach(() => onlineManager.setOnline(true))

it('makeQueryClient lets a mutation fail immediately when offline instead of queueing it', async () => {
  onlineManager.setOnline(false)
  const action = new MutationObserver(makeQueryClient(), {
    mutationFn: () => Promise.reject(new TypeError('Failed to fetch')),
  })
  await expect(action.mutate()).rejects.toThrow('Failed to fetch')
})
