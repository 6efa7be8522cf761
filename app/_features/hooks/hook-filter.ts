import type { ManagedHook } from '@/server/hooks/manage/schema'
import { typeName } from './type-labels'

type Filtered = Pick<
  ManagedHook,
  'name' | 'url' | 'type' | 'events' | 'active' | 'disabled_reason' | 'failing_since'
>

/** Returns a hook's state as one word. */
export function stateOf(
  hook: Omit<Filtered, 'name' | 'url' | 'type' | 'events'>,
): 'Active' | 'Inactive' | 'Failing' | 'Disabled' {
  if (hook.disabled_reason !== null) return 'Disabled'
  if (!hook.active) return 'Inactive'
  return hook.failing_since === null ? 'Active' : 'Failing'
}

/**
 * Whether each word of the filter is contained in the hook's name, URL, type, or an event, or starts its
 * state.
 */
export function passesFilter(hook: Filtered, filter: string): boolean {
  const texts = [hook.name, hook.url, hook.type, typeName(hook.type), ...hook.events].map(lower)
  const words = lower(filter).split(/\s+/).filter(Boolean)
  return words.every(
    word => stateOf(hook).toLowerCase().startsWith(word) || texts.some(text => text.includes(word)),
  )
}

const lower = (text: string): string => text.toLowerCase()
