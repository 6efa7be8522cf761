'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { AskButton, LazyConfirmDialog } from '@/app/_components/confirm-button'
import form from '@/app/_components/form.module.css'
import { FormControl, Select } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { counted } from '@/app/_lib/format'
import { type HookName, queryKeys } from '@/app/_lib/queries'
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

/** Sends the deliveries of a span of time again, after saying how many those are. */
export function ReplayButton({ hook }: { hook: HookName }): ReactNode {
  const queryClient = useQueryClient()
  return (
    <AskButton
      label="Replay…"
      variant="default"
      size="small"
      stays
      done="Sending the deliveries again"
      onDone={() => queryClient.invalidateQueries({ queryKey: queryKeys.hook(hook) })}
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
  // What is counted is what is sent: a span that began later by then would hold others.
  const [since, setSince] = useState(() => startOf('day'))
  const { data, error } = useQuery(replayCountQuery(hook, { since, status }))
  const replaying = useMutation({
    mutationFn: () => trpc.hooks.replay.mutate({ ...hook, since, status }),
    onSuccess: finish,
  })
  const failure = replaying.error ?? error
  return (
    <LazyConfirmDialog
      title="Replay deliveries"
      confirm={data?.count ? `Send ${counted(data.count, 'delivery', 'deliveries')} again` : 'Send again'}
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
            onChange={({ target }) => {
              const chosen = spans.find(({ value }) => value === target.value)?.value ?? 'day'
              setSpan(chosen)
              setSince(startOf(chosen))
            }}
          >
            {spans.map(({ value, label }) => (
              <Select.Option key={value} value={value}>
                {label}
              </Select.Option>
            ))}
          </Select>
        </FormControl>
        <FormControl>
          <FormControl.Label>Status</FormControl.Label>
          <Select
            value={status}
            onChange={({ target }) =>
              setStatus(kinds.find(({ value }) => value === target.value)?.value ?? 'failed')
            }
          >
            {kinds.map(({ value, label }) => (
              <Select.Option key={value} value={value}>
                {label}
              </Select.Option>
            ))}
          </Select>
        </FormControl>
        <p role="status">
          {data === undefined
            ? 'Counting deliveries…'
            : data.count === 0
              ? 'No deliveries match. Deliveries that are being sent right now are not counted.'
              : `${counted(data.count, 'delivery', 'deliveries')} will be sent now, oldest first, with the same payload and ID.${data.more ? ' There are more, which you can replay afterward.' : ''}`}
        </p>
        <p>Receivers that keep track of delivery IDs can ignore repeats; others will process them again.</p>
      </div>
    </LazyConfirmDialog>
  )
}
