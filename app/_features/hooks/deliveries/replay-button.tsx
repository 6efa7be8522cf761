'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { AskButton, LazyConfirmDialog } from '@/app/_components/confirm-button'
import form from '@/app/_components/form.module.css'
import { FormControl, Select } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { counted } from '@/app/_lib/format'
import { type HookName, hookKey } from '@/app/_lib/queries/hooks'
import { trpc } from '@/app/_lib/trpc'
import { type Since, startOf } from './delivery-choice'
import { replayCountQuery } from './queries'

const spans: readonly { value: Exclude<Since, ''>; label: string }[] = [
  { value: 'hour', label: 'Last hour' },
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
]

const kinds = [
  { value: 'failed', label: 'Failed' },
  { value: 'pending', label: 'Pending (send now)' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'all', label: 'All' },
] as const

/** Sends the deliveries of a time span again, after showing how many there are. */
export function ReplayButton({ hook }: { hook: HookName }): ReactNode {
  const queryClient = useQueryClient()
  return (
    <AskButton
      label="Replay…"
      variant="default"
      size="small"
      done="Replaying deliveries"
      onDone={() => queryClient.invalidateQueries({ queryKey: hookKey(hook) })}
      dialog={asked => <ReplayDialog hook={hook} {...asked} />}
    />
  )
}

interface ReplayDialogProps {
  hook: HookName
  finish: () => Promise<void>
  close: () => void
}

function ReplayDialog({ hook, finish, close }: ReplayDialogProps): ReactNode {
  const [span, setSpan] = useState<Exclude<Since, ''>>('day')
  const [status, setStatus] = useState<(typeof kinds)[number]['value']>('failed')
  // The times are fixed when counting, so that the same deliveries are sent as were counted.
  const [times, setTimes] = useState(() => timesOf('day'))
  const [sent, setSent] = useState({ count: 0, cursor: undefined as number | undefined })
  const replayed = { ...times, status, cursor: sent.cursor }
  const { data, error } = useQuery(replayCountQuery(hook, replayed))
  const replaying = useMutation({
    mutationFn: () => trpc.hooks.replay.mutate({ ...hook, ...replayed }),
    onSuccess: async ({ count, next }) => {
      if (next === null) await finish()
      else setSent({ count: sent.count + count, cursor: next })
    },
  })
  const select = (selected: typeof span, which: typeof status): void => {
    setSpan(selected)
    setStatus(which)
    setTimes(timesOf(selected))
    setSent({ count: 0, cursor: undefined })
    replaying.reset()
  }
  const failure = replaying.error ?? error
  return (
    <LazyConfirmDialog
      title="Replay deliveries"
      confirm={
        data?.count
          ? `Send ${sent.count > 0 ? 'the next ' : ''}${counted(data.count, 'delivery', 'deliveries')} again`
          : 'Send again'
      }
      ready={data !== undefined && data.count > 0}
      pending={replaying.isPending}
      failure={failure ? readFailure(failure).message : undefined}
      onConfirm={() => replaying.mutate()}
      onClose={close}
    >
      <div className={form.form}>
        <FormControl>
          <FormControl.Label>Time range</FormControl.Label>
          <Select
            value={span}
            onChange={({ target }) =>
              select(spans.find(({ value }) => value === target.value)?.value ?? 'day', status)
            }
          >
            {spans.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </FormControl>
        <FormControl>
          <FormControl.Label>Status</FormControl.Label>
          <Select
            value={status}
            onChange={({ target }) =>
              select(span, kinds.find(({ value }) => value === target.value)?.value ?? 'failed')
            }
          >
            {kinds.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </FormControl>
        <p role="status">
          {sent.count > 0 ? `${counted(sent.count, 'delivery is', 'deliveries are')} being sent. ` : null}
          {data === undefined
            ? 'Counting deliveries…'
            : data.count === 0
              ? 'No deliveries match. Deliveries currently being sent aren’t counted.'
              : `${counted(data.count, 'delivery', 'deliveries')} will be sent now, oldest first, with the same payload and ID.${data.next === null ? '' : ' You can send the rest afterward.'}`}
        </p>
        <p>
          Receivers that keep track of delivery IDs can ignore duplicates. Others will process them again.
        </p>
      </div>
    </LazyConfirmDialog>
  )
}

const timesOf = (span: Exclude<Since, ''>): { since: string; until: string } => ({
  since: startOf(span),
  until: new Date().toISOString(),
})
