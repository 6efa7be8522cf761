import type { LiveMessage } from '@/server/live/schema'
import type { Broadcast, Want } from './leader'

/** A message from a tab to all other tabs of the same viewer. */
export type TabMessage =
  | ({ type: 'want' } & Want)
  | { type: 'closed'; tab: string }
  /** A new leader asks every tab for the topics it follows. */
  | { type: 'who' }
  /** Recent messages for a tab that has just joined, which may show older data. */
  | { type: 'missed'; tab: string; messages: LiveMessage[] }
  | Broadcast

interface TabMessageListener {
  onWant(want: Want): void
  onClosed(tab: string): void
  onWho(): void
  onMissed(messages: LiveMessage[]): void
  onBroadcast(broadcast: Broadcast): void
}

/** Calls the listener for messages to this tab until the channel is closed. */
export function listenToTabs(
  channel: Pick<BroadcastChannel, 'onmessage'>,
  tab: string,
  listener: TabMessageListener,
): void {
  channel.onmessage = ({ data: message }: MessageEvent<TabMessage>) => {
    switch (message.type) {
      case 'want':
        return listener.onWant(message)
      case 'closed':
        return listener.onClosed(message.tab)
      case 'who':
        return listener.onWho()
      case 'missed':
        return message.tab === tab ? listener.onMissed(message.messages) : undefined
      default:
        return listener.onBroadcast(message)
    }
  }
}
