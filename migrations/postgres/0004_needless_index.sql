-- No statement asks by bucket: the hints know it, and what waits is read in the order of its moments (task_state).
drop index task_waiting;
