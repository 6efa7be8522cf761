import { explanationsPage } from '@/app/_features/hooks/pages/explanations-page'
import { placeOfSite } from '@/app/_features/places/read-place'

export const metadata = { title: 'Events for webhooks' }

export default explanationsPage(placeOfSite)
