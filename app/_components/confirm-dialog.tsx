'use client'
import { type ReactNode, useState } from 'react'
import styles from './confirm-dialog.module.css'
import { Banner, Dialog, FormControl, TextInput } from './primer'

interface ConfirmDialogProps {
  title: string
  /** What will be gone and what stops working. */
  children: ReactNode
  confirm: string
  /** All that is to be known before agreeing is shown. */
  ready?: boolean
  pending: boolean
  failure: string | undefined
  /** Must be typed before the button works. */
  typedName?: string
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something is destroyed; focus starts on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { title, children, confirm, ready = true, pending, failure, typedName, onConfirm, onClose } = props
  const [typed, setTyped] = useState('')
  const matches = typedName === undefined || typed === typedName

  return (
    <Dialog
      title={title}
      role="alertdialog"
      width="large"
      onClose={onClose}
      footerButtons={[
        { content: 'Cancel', autoFocus: true, onClick: onClose },
        {
          content: confirm,
          buttonType: 'danger',
          disabled: !matches || !ready,
          loading: pending,
          onClick: onConfirm,
        },
      ]}
    >
      <div className={styles.body}>
        {failure ? (
          <div role="alert">
            <Banner variant="critical" title="That did not work" description={failure} />
          </div>
        ) : null}
        {children}
        {typedName === undefined ? null : (
          <FormControl>
            <FormControl.Label>{`Type “${typedName}” to confirm`}</FormControl.Label>
            <TextInput
              block
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={typed}
              onChange={event => setTyped(event.target.value)}
            />
          </FormControl>
        )}
      </div>
    </Dialog>
  )
}
