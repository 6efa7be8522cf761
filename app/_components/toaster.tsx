'use client'
import NextLink from 'next/link'
import { type ReactNode, useEffect, useRef } from 'react'
// biome-ignore lint/style/noRestrictedImports: this is what draws them
import { Toaster as Sonner, toast as show } from 'sonner'
import { isPassing, showToasts, type Toast } from '@/app/_lib/toast'
import styles from './toaster.module.css'

/** In milliseconds; by then a toast that was acted on is gone. */
const toastLeaves = 400

/** Results of actions elsewhere on the page, told politely. */
export function Toaster(): ReactNode {
  // After the effects of what it draws: from then on nothing that is told gets lost.
  useEffect(() => showToasts(showOne, clearPassing), [])
  const cameFrom = useRef<EventTarget | null>(null)
  return (
    // Sonner sends the keyboard back to where it came from as soon as Tab leaves a toast: nobody could go on from
    // there. It is kept from noticing; the keyboard goes back only when the toast with the focus has gone.
    <div
      onFocusCapture={event => {
        if (!event.currentTarget.contains(event.relatedTarget)) cameFrom.current = event.relatedTarget
        event.stopPropagation()
      }}
      onClickCapture={() => setTimeout(() => goBack(cameFrom.current), toastLeaves)}
    >
      <Sonner
        position="bottom-right"
        toastOptions={{
          unstyled: true,
          classNames: {
            toast: styles.toast ?? '',
            title: styles.title ?? '',
            actionButton: styles.action ?? '',
          },
        }}
      />
    </div>
  )
}

let shown = 0
const passing = new Set<number>()

function clearPassing(): void {
  for (const id of passing) show.dismiss(id)
}

function showOne(each: Toast): void {
  const { kind, message, action, ...options } = each
  const id = ++shown
  if (isPassing(each)) passing.add(id)
  const forget = (): void => void passing.delete(id)
  const link =
    action && 'href' in action ? (
      <NextLink
        href={action.href}
        prefetch={false}
        className={styles.action}
        onNavigate={() => show.dismiss(id)}
      >
        {action.label}
      </NextLink>
    ) : (
      action
    )
  show[kind](message, { id, action: link, onAutoClose: forget, onDismiss: forget, ...options })
}

function goBack(to: EventTarget | null): void {
  if (document.activeElement !== document.body) return
  const target = to instanceof HTMLElement && to.isConnected ? to : document.getElementById('main')
  target?.focus()
}
