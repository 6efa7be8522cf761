import type { z } from 'zod'
import { NewHookInput } from '@/server/hooks/manage/schema'

/** Schema of the form for a new webhook. */
export const NewHook = NewHookInput.omit({ scope: true }).refine(
  ({ type, channel }) => type !== 'slack' || channel,
  { path: ['channel'], message: 'Enter the channel to post to.' },
)
export type NewHook = z.output<typeof NewHook>
