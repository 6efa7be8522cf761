'use client'
import { type ReactNode, useState } from 'react'
import { Checkbox, Dialog, FormControl } from '@/app/_components/primer'
import { areShortcutsOff } from '@/app/_lib/shortcut'
import { switchShortcuts } from '@/app/_lib/switch-shortcuts'
import styles from './palette.module.css'

const groups: { title: string; keys: { keys: string[]; does: string }[] }[] = [
  {
    title: 'Everywhere',
    keys: [
      { keys: ['/'], does: 'Search repositories, organizations, teams, people, and settings' },
      { keys: ['Ctrl K', '⌘ K'], does: 'Search, even while typing in a field' },
      { keys: ['?'], does: 'Show keyboard shortcuts' },
      { keys: ['Esc'], does: 'Close the open dialog or menu' },
    ],
  },
  {
    title: 'In search',
    keys: [
      { keys: ['↓', '↑'], does: 'Go to the next or previous result' },
      { keys: ['Home', 'End'], does: 'Go to the first or last result' },
      { keys: ['Enter'], does: 'Open the selected result' },
    ],
  },
  {
    title: 'In lists',
    keys: [
      { keys: ['j', 'k'], does: 'Go to the next or previous row' },
      { keys: ['x'], does: 'Select the row' },
    ],
  },
  {
    title: 'In code',
    keys: [
      { keys: ['t'], does: 'Go to a file' },
      { keys: ['l'], does: 'Go to a line' },
      { keys: ['e'], does: 'Edit the file' },
      { keys: ['y'], does: 'Replace the address with a permanent link' },
    ],
  },
]

/** Dialog that lists the keyboard shortcuts, with a switch for single-key shortcuts. */
export function KeySheet({ onClose }: { onClose: () => void }): ReactNode {
  const [isOn, setOn] = useState(() => !areShortcutsOff())
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} width="large">
      {groups.map(({ title, keys }) => (
        <section key={title} className={styles.keys}>
          <h2 className={styles.title}>{title}</h2>
          <dl>
            {keys.map(({ keys, does }) => (
              <div key={does} className={styles.keyRow}>
                <dt>
                  {keys.map(key => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <div className={styles.switch}>
        <FormControl>
          <Checkbox
            checked={isOn}
            onChange={() => {
              setOn(!isOn)
              switchShortcuts(!isOn)
            }}
          />
          <FormControl.Label>Single-key shortcuts</FormControl.Label>
          <FormControl.Caption>
            Includes /, ?, j, k, x, t, l, e, and y. You might want to turn them off if you use speech input,
            for example. You can still open search with Ctrl K or ⌘ K and turn them back on there.
          </FormControl.Caption>
        </FormControl>
      </div>
    </Dialog>
  )
}
