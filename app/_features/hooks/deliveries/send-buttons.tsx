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

/** In milliseconds. */
const saidFor = 6_000

/** What came of the last attempt, in words. */
interface Outcome {
  text: string
  isProblem: boolean
}

/** Buttons that try a hook out, and what they did beside them. */
export function SendButtons({ hook }: { hook: HookName }): ReactNode {
  const [outcome, setOutcome] = useState<Outcome>()
  useEffect(() => {
    if (!outcome || outcome.isProblem) return
    const timer = setTimeout(() => setOutcome(undefined), saidFor)
    return () => clearTimeout(timer)
  }, [outcome])
  return (
    <>
      {/* In the corner of the page it would lie over a dry run. */}
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
  /** Undefined while it is being sent: the same words again would not be heard. */
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
  // However often somebody clicks, it is one delivery.
  const send = useSingleFlight(() => sending.mutateAsync().catch(() => undefined))
  return (
    <Button size="small" loading={sending.isPending} onClick={() => void send()}>
      {sendLabels[what].label}
    </Button>
  )
}
