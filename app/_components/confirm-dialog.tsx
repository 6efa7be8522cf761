'use client'
import type { ReactNode } from 'react'
import { toast } from '@/app/_lib/toast'
import { onFirstUse, useLazyComponent } from '@/app/_lib/use-lazy-component'
import type { ConfirmDialogProps } from './confirm-box'

const loadBox = async () => (await import('./confirm-box')).ConfirmBox
// A dialog is asked for by a button, and should not have to be waited for then.
onFirstUse(() => void loadBox().catch(() => undefined))

/** Asks before something is destroyed; focus starts on the name to type, where there is one, or else on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const ConfirmBox = useLazyComponent(loadBox, true, () => {
    props.onClose()
    toast.error('The server could not be reached. Check your connection and try again.')
  })
  return ConfirmBox ? <ConfirmBox {...props} /> : null
}
