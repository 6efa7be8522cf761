'use client'
import { type ReactNode, useEffect, useRef } from 'react'
// biome-ignore lint/style/noRestrictedImports: this is what draws them
import { Toaster as Sonner, toast as show } from 'sonner'
import { isPlainClick } from '@/app/_lib/plain-click'
import { isPassing, showToasts, type Toast } from '@/app/_lib/toast'
import { PageLink } from './page-link'
import styles from './toaster.module.css'

/** Time in milliseconds after which a toast that was acted on has disappeared. */
const toastLeaves = 400

/** Shows toasts, which screen readers announce politely. */
export function Toaster(): ReactNode {
  // Runs after the effects of its children, so that no toast is lost.
  useEffect(() => showToasts(showOne, clearPassing), [])
  const cameFrom = useRef<EventTarget | null>(null)
  return (
    // Sonner would return the focus to its origin as soon as Tab leaves a toast, which makes it impossible to
    // continue from there. Stopping the event prevents that. The focus returns only when the toast that had
    // it has disappeared.
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
      <PageLink
        href={action.href}
        className={styles.action}
        onClick={event => {
          if (isPlainClick(event)) show.dismiss(id)
        }}
      >
        {action.label}
      </PageLink>
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
