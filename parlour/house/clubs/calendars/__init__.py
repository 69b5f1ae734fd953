"""Calendars to subscribe to (iCalendar): of the house, of a club, and of a person."""
