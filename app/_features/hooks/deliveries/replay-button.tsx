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
  { value: 'hour', label: 'The last hour' },
  { value: 'day', label: 'The last 24 hours' },
  { value: 'week', label: 'The last 7 days' },
]

const kinds = [
  { value: 'failed', label: 'Failed ones' },
  { value: 'pending', label: 'Pending ones, without waiting' },
  { value: 'delivered', label: 'Delivered ones' },
  { value: 'all', label: 'All of them' },
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
      done="Sending them again, oldest first"
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
      title="Send deliveries again?"
      confirm={data?.count ? `Send ${counted(data.count, 'delivery', 'deliveries')} again` : 'Send again'}
      ready={data !== undefined && data.count > 0}
      pending={replaying.isPending}
      failure={failure ? readFailure(failure).message : undefined}
      onConfirm={() => replaying.mutate()}
      onClose={close}
    >
      <div className={form.form}>
        <FormControl>
          <FormControl.Label>From</FormControl.Label>
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
          <FormControl.Label>Which</FormControl.Label>
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
            ? 'Counting them…'
            : data.count === 0
              ? 'There are none. Those that are being sent already are left alone.'
              : `${counted(data.count, 'delivery is', 'deliveries are')} sent now, oldest first, the same bytes under the same ids.${data.more ? ' There are more: replay again afterwards.' : ''}`}
        </p>
        <p>Receivers that keep the ids they have seen notice the repetition; others do everything again.</p>
      </div>
    </LazyConfirmDialog>
  )
}
