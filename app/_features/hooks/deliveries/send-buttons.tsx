'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { type HookName, hookKey } from '@/app/_lib/queries/hooks'
import { trpc } from '@/app/_lib/trpc'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import styles from './deliveries-screen.module.css'

const sendLabels = {
  ping: { label: 'Send ping', done: 'Sending a ping' },
  test: { label: 'Send test push', done: 'Sending a test push of the latest commit' },
}
type Sent = keyof typeof sendLabels

/** How long a success message is shown, in milliseconds. */
const saidFor = 6_000

/** Result of the last attempt to send. */
interface Outcome {
  text: string
  isProblem: boolean
}

/** Buttons that test a hook, with their results next to them. */
export function SendButtons({ hook }: { hook: HookName }): ReactNode {
  const [outcome, setOutcome] = useState<Outcome>()
  useEffect(() => {
    if (!outcome || outcome.isProblem) return
    const timer = setTimeout(() => setOutcome(undefined), saidFor)
    return () => clearTimeout(timer)
  }, [outcome])
  return (
    <>
      {/* A toast in the corner of the page would cover a dry run. */}
      <span role="status" className={styles.sent}>
        {outcome && !outcome.isProblem ? outcome.text : null}
      </span>
      {outcome?.isProblem ? (
        <span role="alert" className={styles.sent}>
          {outcome.text}
        </span>
      ) : null}
      <SendButton hook={hook} what="ping" onChange={setOutcome} />
      <SendButton hook={hook} what="test" onChange={setOutcome} />
    </>
  )
}

interface SendButtonProps {
  hook: HookName
  what: Sent
  /** Called with undefined while sending, because screen readers don't announce the same text twice. */
  onChange: (outcome: Outcome | undefined) => void
}

function SendButton({ hook, what, onChange }: SendButtonProps): ReactNode {
  const queryClient = useQueryClient()
  const sending = useMutation({
    mutationFn: () => trpc.hooks[what].mutate(hook),
    onMutate: () => onChange(undefined),
    onSuccess: async () => {
      onChange({ text: sendLabels[what].done, isProblem: false })
      await queryClient.invalidateQueries({ queryKey: hookKey(hook) })
    },
    onError: error => onChange({ text: readFailure(error).message, isProblem: true }),
  })
  // Repeated clicks send only one delivery.
  const send = useSingleFlight(() => sending.mutateAsync().catch(() => undefined))
  return (
    <Button size="small" loading={sending.isPending} onClick={() => void send()}>
      {sendLabels[what].label}
    </Button>
  )
}
